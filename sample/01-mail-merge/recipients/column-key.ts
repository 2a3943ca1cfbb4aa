/** The name by which a column is looked up: `First Name`, `first_name` and `FIRST-NAME` are one. */
export function columnKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
