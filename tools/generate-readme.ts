import { readFileSync, writeFileSync } from 'node:fs'
import { commonSettingsAsMarkdown, settingsAsMarkdown } from '../src/commands/settings-help.ts'

/** The documents with a table of settings, and the settings in it. */
const tables: Readonly<Record<string, () => string>> = {
  'README.md': commonSettingsAsMarkdown,
  'docs/guides/settings.md': settingsAsMarkdown,
}

/** The documents with the settings that the program itself knows, by path. */
export function documentsWithSettings(): Record<string, string> {
  return Object.fromEntries(Object.entries(tables).map(([path, table]) => [path, withTable(path, table())]))
}

function withTable(path: string, table: string): string {
  return readFileSync(toUrl(path), 'utf8').replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    () => `<!-- settings -->\n\n${table}\n\n<!-- /settings -->`,
  )
}

function toUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(documentsWithSettings())) writeFileSync(toUrl(path), text)
}
