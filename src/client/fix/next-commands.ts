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
  'go.mod': 'go mod tidy',
}

/** A lock that pnpm writes for a git branch. */
const BRANCH_LOCK = /^pnpm-lock\..+\.yaml$/

/** Returns true for a file that pins versions until its tool renews it. */
export function isLockfile(path: string): boolean {
  const name = nameOf(path)
  return name !== 'go.mod' && (Object.hasOwn(commands, name) || BRANCH_LOCK.test(name))
}

/** Returns the command to run in the folder after manifests were changed; undefined without a lockfile. */
export function findNextCommand(paths: readonly string[]): string | undefined {
  const commandOf = (name: string) => (BRANCH_LOCK.test(name) ? 'pnpm install' : commands[name])
  return paths.map((path) => commandOf(nameOf(path))).find((each) => each !== undefined)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
