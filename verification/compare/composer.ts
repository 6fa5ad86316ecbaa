import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { contentHash } from '../../src/analysis/ecosystems/php/content-hash.ts'
import { composer } from '../../src/analysis/ecosystems/php/index.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsCommand,
  needsProjects,
  toCompared,
} from './comparison.ts'
import { compareEach, inCopy, packagesOf, readLocked, readText } from './projects.ts'

/** Composer's classes, of Debian's package. */
const HASH =
  "require '/usr/share/php/Composer/autoload.php'; echo Composer\\Package\\Locker::getContentHash(file_get_contents('composer.json'));"

export function composerComparisons(settings: CompareSettings): Comparison[] {
  return [
    {
      ecosystem: 'composer',
      what: 'packages of the lock and content-hash',
      reference: 'Composer',
      missing: firstOf(needsProjects('composer'), needsCommand('Composer', 'composer', '--version')),
      run: () => compareEach(path.join(settings.manifests, 'composer'), againstComposer),
    },
  ]
}

async function againstComposer(folder: string, project: string): Promise<Compared> {
  const [target, manifest] = [readText(folder, 'composer.lock'), readText(folder, 'composer.json')]
  const reading = await readLocked(composer, { target, additional: [manifest] })
  const packages = packagesOf(reading)
  const expected = await inCopy(folder, (copy) => [
    ...listPackages(copy),
    `content-hash@${runIn(copy, 'php', '-r', HASH)}`,
  ])
  const own = new Set([...packages, `content-hash@${contentHash(JSON.parse(manifest))}`])
  return toCompared(project, 2, { packages: packages.size, own, expected: new Set(expected) })
}

function listPackages(folder: string): string[] {
  const output = runIn(folder, 'composer', 'show', '--locked', '--format=json', '--no-plugins', '--no-interaction')
  const { locked } = JSON.parse(output) as { readonly locked: readonly { name: string; version: string }[] }
  // It writes the commit of a branch behind its name.
  return locked.map(({ name, version }) => `${name.toLowerCase()}@${version.replace(/ [0-9a-f]{7}$/, '')}`)
}

function runIn(cwd: string, command: string, ...parameters: string[]): string {
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_DISABLE_NETWORK: '1' }
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command} failed: ${stderr.trim().split('\n').slice(-3).join(' / ')}`)
  return stdout
}
