import { fileLists } from '../../ecosystems/file-lists.ts'

/** A lock that pnpm writes for a git branch. */
const BRANCH_LOCK = /^pnpm-lock\..+\.yaml$/

/** The command that brings a lockfile up to date, by the lockfile's name. */
const commands: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm install',
  'npm-shrinkwrap.json': 'npm install',
  'yarn.lock': 'yarn install',
  'pnpm-lock.yaml': 'pnpm install',
  'bun.lock': 'bun install',
  'poetry.lock': 'poetry lock',
  'uv.lock': 'uv lock',
  'pylock.toml': 'uv export --format pylock.toml -o pylock.toml',
  'Pipfile.lock': 'pipenv lock',
  'Gemfile.lock': 'bundle lock',
  'gems.locked': 'bundle lock',
  'gradle.lockfile': 'gradle dependencies --write-locks',
}

const renewals = new Map(fileLists.flatMap(({ renewal = {} }) => Object.entries(renewal)))

/** Returns true for a file that pins versions until its tool renews it. */
export function isLockfile(path: string): boolean {
  return commandOf(path) !== undefined
}

/** Returns the command that writes a lockfile again; undefined for other files. */
export function commandOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (BRANCH_LOCK.test(name)) return 'pnpm install'
  return Object.hasOwn(commands, name) ? commands[name] : renewals.get(name)?.all
}

const repeatOption = (names: readonly string[], option: string) => names.map((name) => `${option} ${name}`).join(' ')

/** Returns the command that renews only these packages in a lockfile; undefined if its tool has none. */
export function renewalOf(path: string, text: string, names: readonly string[]): string | undefined {
  const list = names.join(' ')
  switch (commandOf(path)) {
    case 'npm install':
      return `npm update ${list}`
    case 'pnpm install':
      return `pnpm update --no-save ${list}`
    case 'yarn install':
      return text.includes('__metadata:') ? `yarn up -R ${list}` : undefined
    case 'uv lock':
      return `uv lock ${repeatOption(names, '--upgrade-package')}`
    case 'poetry lock':
      return `poetry update --lock ${list}`
    case 'bundle lock':
      return `bundle lock --conservative ${repeatOption(names, '--update')}`
    default:
      return renewals.get(path.slice(path.lastIndexOf('/') + 1))?.only?.(names)
  }
}
