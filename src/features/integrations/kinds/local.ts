import { type Static, Type } from 'typebox'
import { Branch, toBranch } from '../hosted.ts'
import { defineKind } from '../integration-kind.ts'
import { findLocalRepository, localIsOff } from '../local-repository.ts'

const Target = Type.Object({
  path: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    description:
      'A repository or a folder of files below one of the operator’s folders; an absolute path, or a path relative to that folder',
  }),
  branch: Type.Optional(Branch),
})
type Target = Static<typeof Target>

export const local = defineKind({
  id: 'local',
  title: 'Local folder',
  description: 'Repositories and folders on the server’s machine, below the folders in GATEHOUSE_LOCAL_REPOSITORIES',
  credentials: [],
  baseUrl: 'none',
  ownBaseUrl: '',
  Target,
  check({ path, branch }: Target) {
    const target = { path: path.replace(/\/+$/, '') || '/', branch: toBranch(branch) }
    return { name: target.path, branch: target.branch, target }
  },
  async locate({ localFolders }, { path }) {
    const { shown, real, gitFolder, within } = await findLocalRepository(localFolders, path)
    return {
      displayName: shown,
      url: null,
      sourceKey: `local ${real}`,
      place:
        gitFolder === undefined
          ? { kind: 'folder', path: real, within }
          : { kind: 'git', location: { folder: gitFolder, within } },
    }
  },
  async test({ localFolders }) {
    if (localFolders.length === 0) throw localIsOff()
    await findLocalRepository(localFolders, '.')
    return 'The folders in GATEHOUSE_LOCAL_REPOSITORIES can be read'
  },
})
