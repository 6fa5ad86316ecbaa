import type { ProjectFiles, Spelling } from './spelling.ts'

interface Options {
  readonly tool?: Spelling['tool']
  readonly isAsked?: false
  readonly isDev?: true
}

/** Spells whole files, which replace those of the smallest project; `base` gives those that a spelling leaves out. */
export function spelling(
  name: string,
  source: string,
  files: ProjectFiles,
  { tool = 'installs', ...more }: Options = {},
): Spelling {
  return { name, source, tool, ...more, plant: () => files }
}

/** Damage and other encodings of one file whose plain text installs the hidden release. */
export function damagedTexts(
  path: string,
  { files, source, cutAt }: { files: ProjectFiles; source: string; cutAt: string },
): Spelling[] {
  const text = files[path]!
  const changed = (name: string, change: (text: string) => string, tool: Spelling['tool']): Spelling =>
    spelling(`${path}: ${name}`, source, { ...files, [path]: change(text) }, { tool, isAsked: false })
  return [
    changed('byte order mark', (each) => `\uFEFF${each}`, 'installs'),
    changed('carriage returns', (each) => each.replaceAll('\n', '\r\n'), 'installs'),
    changed('UTF-16 read as single bytes', (each) => [...each].join('\0'), 'refuses'),
    changed('unfinished merge', (each) => `<<<<<<< HEAD\n${each}=======\n>>>>>>> other\n`, 'refuses'),
    changed('cut off', (each) => each.slice(0, each.indexOf(cutAt)), 'refuses'),
    changed('empty', () => '\n', 'refuses'),
  ]
}
