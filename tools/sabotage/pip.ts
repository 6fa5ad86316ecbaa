import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pipSpellings } from './pip-spellings.ts'
import type { Sabotage } from './spelling.ts'

export const pip: Sabotage = {
  ecosystem: 'pip',
  hidden: { name: 'django', version: '2.0' },
  target: 'requirements.txt',
  base: { 'requirements.txt': '# requirements' },
  // The server does not read source trees, and an unknown file would make every result incomplete.
  sends: (path) => path.endsWith('.txt'),
  spellings: pipSpellings,
  async ask(folder, { name, version }) {
    const report = await installReport(folder)
    if (report === undefined) return 'refuses'
    const isHidden = ({ metadata }: Installed) =>
      metadata.name.toLowerCase() === name && [version, `${version}.0`].includes(metadata.version)
    return report.install.some(isHidden) ? 'installs' : 'ignores'
  },
}

interface Installed {
  readonly metadata: { readonly name: string; readonly version: string }
}

async function installReport(folder: string): Promise<{ install: readonly Installed[] } | undefined> {
  const args = ['-m', 'pip', 'install', '--dry-run', '--ignore-installed', '--quiet', '--report', '-']
  const { PIP_FIND_LINKS: _, ...env } = process.env
  try {
    const { stdout } = await promisify(execFile)('python3', [...args, '-r', 'requirements.txt'], {
      cwd: folder,
      env: { ...env, PWD: folder },
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout) as { install: readonly Installed[] }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') throw error
    return undefined
  }
}
