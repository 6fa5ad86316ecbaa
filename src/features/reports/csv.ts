/** Writes a row of CSV (RFC 4180). */
export function writeCsvRow(fields: readonly (string | number)[]): string {
  return `${fields.map(toField).join(',')}\r\n`
}

function toField(field: string | number): string {
  if (typeof field === 'number') return String(field)
  // Spreadsheets would run a text with this beginning as a formula.
  const safe = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
