import { Problem } from '../problem.ts'
import type { EntryKind, RepositoryBounds } from './repository-source.ts'

/** Returns the reason why an entry that is not a readable file is not read. */
export function reasonOf(kind: Exclude<EntryKind, 'file'>): string {
  if (kind === 'link') return 'The file is a link. Links are not followed.'
  if (kind === 'submodule') return 'The entry is a submodule; import its repository instead'
  return 'The name is not a printable path in UTF-8'
}

export function tooLarge({ fileBytes }: Pick<RepositoryBounds, 'fileBytes'>): string {
  return `The file is larger than ${fileBytes} bytes`
}

export function tooManyFiles({ files }: RepositoryBounds): Problem {
  return new Problem('repository-too-large', `The repository has more than ${files} files`)
}

export function tooManyFilesToTest({ testedFiles }: RepositoryBounds): Problem {
  return new Problem('repository-too-large', `The repository has more than ${testedFiles} files to test`)
}

export function tooMuchToRead({ readBytes }: RepositoryBounds): Problem {
  const megabytes = Math.floor(readBytes / 1024 / 1024)
  return new Problem(
    'repository-too-large',
    `The files to test are larger than ${megabytes} MB together (GATEHOUSE_IMPORT_DISK_MB)`,
  )
}
