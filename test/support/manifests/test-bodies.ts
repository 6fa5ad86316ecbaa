/** The body of a package test: the target's text, and those of further files. */
export function filesBody(target: string, ...additional: readonly string[]) {
  return { files: { target: { contents: target }, additional: additional.map((contents) => ({ contents })) } }
}
