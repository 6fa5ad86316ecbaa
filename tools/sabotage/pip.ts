import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'django', version: '2.0' }
const FORMAT = "pip's documentation, Requirements File Format"

/** Adds lines to the requirements file. */
function lines(name: string, text: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return {
    name,
    source: FORMAT,
    tool,
    plant: (files: ProjectFiles) => ({ ...files, 'requirements.txt': `${files['requirements.txt']}\n${text}\n` }),
  }
}

export const pip: Sabotage = {
  ecosystem: 'pip',
  hidden,
  target: 'requirements.txt',
  base: { 'requirements.txt': '# requirements' },
  spellings: [
    lines('pin', 'django==2.0'),
    lines('pin in capitals', 'DJANGO==2.0'),
    lines('pin with white space', '  django  ==  2.0  '),
    lines('pin in brackets', 'django (==2.0)'),
    lines('pin with zeros', 'django==2.0.0'),
    lines('pin with v', 'django==v2.0'),
    lines('pin with an epoch of zero', 'django==0!2.0'),
    lines('arbitrary equality', 'django===2.0'),
    lines('wildcard', 'django==2.0.*,<2.0.1'),
    lines('compatible release', 'django~=2.0,<2.0.1'),
    lines('two bounds', 'django>=2.0,<2.0.1'),
    lines('exclusion', 'django>=2.0,!=2.0.1,<2.0.2'),
    lines('comment behind the pin', 'django==2.0 # harmless'),
    lines('continued line', 'django\\\n==2.0'),
    lines('continued line inside the version', 'django==2.\\\n0'),
    lines('marker that is true', 'django==2.0; python_version >= "3"'),
    lines('marker with or', 'django==2.0; sys_platform == "win32" or sys_platform == "linux"'),
    lines('marker that is false', 'django==2.0; python_version < "3"', 'ignores'),
    lines('option of one requirement', 'django==2.0 --config-settings a=b'),
    lines('carriage returns', 'django==2.0\r'),
    lines('extras of a package without them', 'django[argon2]==2.0'),
    lines('no-index is not the last word', '--pre\ndjango==2.0'),
    lines('tab instead of spaces', 'django\t==2.0'),
  ],
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
  try {
    const { stdout } = await promisify(execFile)('python3', [...args, '-r', 'requirements.txt'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    })
    return JSON.parse(stdout) as { install: readonly Installed[] }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') throw error
    return undefined
  }
}
