/**
 * Commands of GitHub's runner (`::name`, after any white space) and of Azure's, GitHub's old and TeamCity's
 * (`##name[`, anywhere in a line).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors precede a command
const AT_START = /(?<=(?:^|[\n\r\u2028\u2029])(?:[^\S\n\r\u2028\u2029]|\u001b\[[\d;]*[Km])*):(?=:)/g
const ANYWHERE = /##(?=\w*\[)/g

/** Breaks the commands of CI runners in a printed text by a space. */
export function withoutCommands(text: string): string {
  return text.replace(AT_START, ': ').replace(ANYWHERE, '## ')
}

/** Writes JSON in which the commands of CI runners are escaped. */
export function toPrintedJson(value: unknown, indentation = 2): string {
  return withoutCommandsInJson(JSON.stringify(value, undefined, indentation))
}

export function withoutCommandsInJson(json: string): string {
  return json.replace(AT_START, '\\u003a').replace(ANYWHERE, '\\u0023#')
}

/** XML without CDATA sections. */
export function withoutCommandsInXml(xml: string): string {
  return xml.replace(AT_START, '&#58;').replace(ANYWHERE, '&#35;#')
}
