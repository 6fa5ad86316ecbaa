import { constants } from 'node:fs'
import { access, lstat, open } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { ClientFailure, toWriteFailure } from '../failure.ts'

/**
 * Writes a report to the file that the user named. Inside the checkout around the current folder no link is followed:
 * a repository must not choose which file of the machine is overwritten.
 */
export async function writeOutputFile(path: string, text: string, folder = process.cwd()): Promise<void> {
  const target = resolve(folder, path)
  const root = await findCheckout(folder)
  const isInside = target.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
  if (isInside) await refuseLinks(root, target, path)
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (isInside ? constants.O_NOFOLLOW : 0)
    const file = await open(target, flags)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw toWriteFailure(path, cause, 'Name a file in a folder that exists.')
  }
}

/** Returns the nearest folder with `.git`, or the folder itself. */
async function findCheckout(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const isRoot = await access(join(at, '.git')).then(
      () => true,
      () => false,
    )
    if (isRoot) return at
    if (dirname(at) === at) return folder
  }
}

async function refuseLinks(root: string, target: string, path: string): Promise<void> {
  let at = root
  for (const name of relative(root, target).split(sep)) {
    at = join(at, name)
    const entry = await lstat(at).catch(() => undefined)
    if (!entry?.isSymbolicLink()) continue
    throw new ClientFailure(
      `"${path}" cannot be written: ${relative(root, at)} is a link in the checkout, and such links are not followed. Name another file.`,
    )
  }
}
