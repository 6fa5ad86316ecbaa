import { settings } from '#foundation/settings.ts'

interface Described {
  readonly env: string
  readonly description: string
  readonly fallback?: string
  readonly isCommon?: true
}

const all = Object.values(settings) as readonly Described[]

/** Formats the settings for `--help`. */
export function settingsAsText(): string {
  const width = Math.max(...all.map(({ env }) => env.length))
  const lines = all.map(
    ({ env, description, fallback }) => `  ${env.padEnd(width)}  ${description}${fallback ? ` [${fallback}]` : ''}`,
  )
  return `\nEnvironment:\n${lines.join('\n')}\n`
}

/** Formats the common settings as the README's table. */
export function commonSettingsAsMarkdown(): string {
  return toTable(all.filter(({ isCommon }) => isCommon))
}

/** Formats all settings as the table of the settings guide. */
export function settingsAsMarkdown(): string {
  return toTable(all)
}

function toTable(described: readonly Described[]): string {
  const rows = described.map(
    ({ env, description, fallback }) => `| \`${env}\` | ${description} | ${fallback ? `\`${fallback}\`` : ''} |`,
  )
  return ['| variable | meaning | default |', '|---|---|---|', ...rows].join('\n')
}
