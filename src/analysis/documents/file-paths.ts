const urlSchemes = new Set(['http', 'https', 'file', 'ftp', 'sftp', 'ssh', 'git', 'hg', 'bzr', 'svn'])

export function isUrl(text: string): boolean {
  const colon = text.indexOf(':')
  if (colon === -1) return false
  const scheme = text.slice(0, colon).toLowerCase()
  return urlSchemes.has(scheme) || /^(?:git|hg|bzr|svn)\+[a-z]+$/.test(scheme)
}

/**
 * Returns the path of a referenced file relative to the target's folder; undefined for URLs, absolute paths and
 * variables.
 */
export function toPath(reference: string, from: string): string | undefined {
  if (isUrl(reference) || /^(?:[/\\~]|[a-zA-Z]:)/.test(reference) || reference.includes('${')) return undefined
  const parts = [...from.split('/').slice(0, -1), ...reference.split(/[/\\]/)]
  const kept: string[] = []
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else kept.push(part)
  }
  return kept.length === 0 ? undefined : kept.join('/')
}

/** Returns the way from the folder of a member that is tested alone to the root of its workspace; else nothing. */
export function upFrom({ member }: { readonly member?: string | undefined }): string {
  return member === undefined ? '' : member.replace(/[^/]+(?:\/|$)/g, '../')
}
