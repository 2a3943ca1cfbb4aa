import { BadInputError } from '../bad-input.error';

/** Where windows-1252 differs from latin1, 0x80 to 0x9f; the decoder of Node 20 passes these over. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Reads the bytes of a text file, whatever program wrote it: no byte order mark, and `\n` ends the lines. */
export function decodeText(bytes: Buffer, path: string): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = isUtf16 ? new TextDecoder('utf-16le').decode(bytes) : decodeBytes(bytes);
  if (text.includes('\0')) {
    throw new BadInputError(`${path} is not a text file; a spreadsheet has to be saved as CSV first`);
  }
  return text.replace(/\r\n?/g, '\n');
}

/** UTF-8, and windows-1252 in the lines that are not: lists are pasted together from others. */
function decodeBytes(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const lines = bytes.toString('latin1').split(/\r\n?|\n/);
  return lines.map((line) => decodeUtf8(Buffer.from(line, 'latin1')) ?? decodeWindows1252(line)).join('\n');
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @param latin1 - one character a byte */
function decodeWindows1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!);
}
