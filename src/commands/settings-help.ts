import { settings } from '#foundation/settings.ts'

interface Described {
  readonly env: string
  readonly description: string
  readonly fallback?: string
}

const all = Object.values(settings) as readonly Described[]

/** The settings as `--help` shows them. */
export function settingsAsText(): string {
  const width = Math.max(...all.map(({ env }) => env.length))
  const lines = all.map(
    ({ env, description, fallback }) => `  ${env.padEnd(width)}  ${description}${fallback ? ` [${fallback}]` : ''}`,
  )
  return `\nEnvironment:\n${lines.join('\n')}\n`
}

/** The settings as the README's table. */
export function settingsAsMarkdown(): string {
  const rows = all.map(
    ({ env, description, fallback }) => `| \`${env}\` | ${description} | ${fallback ? `\`${fallback}\`` : ''} |`,
  )
  return ['| variable | meaning | default |', '|---|---|---|', ...rows].join('\n')
}
