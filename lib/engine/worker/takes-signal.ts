/** `() =>`, `function name() {` or `method() {`, async or not. */
const WITHOUT_PARAMETERS = /^(?:async\b\s*)?(?:\(\s*\)\s*=>|(?:function\b\s*)?[\w$]*\s*\(\s*\)\s*\{)/;

/** How a function without parameters gets at what it is called with; bound and built-in ones do not show. */
const READS_ARGUMENTS = /\b(?:arguments|eval)\b|\[native code\]/;

/**
 * Whether a function may look at its third argument, by what it declares.
 *
 * Rest parameters are not counted, and `arguments` needs none: a function that seems to take nothing, as wrappers of
 * others often do, may take all there is, unless its text shows that it cannot.
 *
 * @internal
 */
export function takesSignal(processor: (...args: never[]) => unknown): boolean {
  if (processor.length > 0) {
    return processor.length >= 3;
  }
  const text = Function.prototype.toString.call(processor);
  return !WITHOUT_PARAMETERS.test(text) || READS_ARGUMENTS.test(text);
}
