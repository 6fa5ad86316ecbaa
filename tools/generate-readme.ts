import { readFileSync, writeFileSync } from 'node:fs'
import { settingsAsMarkdown } from '../src/commands/settings-help.ts'

const target = new URL('../README.md', import.meta.url)

/** The README with the table of settings that the program itself knows. */
export function readmeWithSettings(): string {
  const text = readFileSync(target, 'utf8')
  return text.replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    `<!-- settings -->\n${settingsAsMarkdown()}\n<!-- /settings -->`,
  )
}

if (import.meta.main) writeFileSync(target, readmeWithSettings())
