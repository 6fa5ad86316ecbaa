/**
 * Reads the logical lines of a properties file (java.util.Properties.load): without comments, each joined with the lines
 * that continue it after a backslash.
 */
export function logicalLines(text: string): string[] {
  return text
    .replace(/^[ \t\f]*[#!].*$/gm, '')
    .replace(/(?<!\\)((?:\\\\)*)\\\r?\n[ \t\f]*/g, '$1')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Reads the entries of a properties file whose keys may be names of variables. */
export function readProperties(text: string): [key: string, value: string][] {
  return logicalLines(text).flatMap((line) => {
    const [, key, value] = /^\s*([\w.-]+)(?:\s*[=:]\s*|\s+)(.*?)\s*$/.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, unescapeValue(value)]]
  })
}

function unescapeValue(value: string): string {
  return value.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, sign: string) =>
    code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
