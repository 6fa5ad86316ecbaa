/** The two files of an npm project, as text. */
export interface ManifestFiles {
  readonly manifest: string
  readonly lockfile: string
}

export interface Recognised {
  readonly files: Partial<ManifestFiles>
  /** Names of files that are neither. */
  readonly unknown: readonly string[]
}

/** Tells manifest from lockfile by name, else by content. */
export async function recogniseFiles(files: readonly File[]): Promise<Recognised> {
  const found: { -readonly [Name in keyof ManifestFiles]?: string } = {}
  const unknown: string[] = []
  for (const file of files) {
    const text = await file.text()
    const role = roleOf(file.name, text)
    if (role === undefined) unknown.push(file.name)
    else found[role] = text
  }
  return { files: found, unknown }
}

function roleOf(name: string, text: string): keyof ManifestFiles | undefined {
  if (name === 'package.json') return 'manifest'
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return 'lockfile'
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content !== 'object' || content === null) return undefined
    if ('lockfileVersion' in content) return 'lockfile'
    return 'dependencies' in content || 'name' in content ? 'manifest' : undefined
  } catch {
    return undefined
  }
}
