import { jsonKind, textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import { isObject, ownValue } from '#analysis/documents/json-document.ts'
import type { EcosystemFiles } from '../ecosystem-files.ts'

export const conanFiles: EcosystemFiles = {
  ecosystem: 'conan',
  kinds: [
    jsonKind({
      id: 'conan.lock',
      label: 'a conan.lock (Conan)',
      names: /^conan\.lock$/,
      notation: 'json',
      is: (document) =>
        isObject(ownValue(document, 'graph_lock')) ||
        (typeof ownValue(document, 'version') === 'string' &&
          ['requires', 'build_requires'].every((key) => Array.isArray(ownValue(document, key)))),
    }),
    textKind({
      id: 'conanfile.txt',
      label: 'a conanfile.txt (Conan)',
      names: /^conanfile\.txt$/,
      all: [/^\[(?:requires|build_requires|tool_requires|test_requires|generators)\]/m],
      none: [/^\[(?:\[source\]|packages|dev-packages)\]/m],
    }),
  ],
  target: ['conan.lock', 'conanfile.txt'],
  additional: ['conanfile.txt', 'conan.lock'],
  renewal: { 'conan.lock': { all: 'conan lock create . --lockfile=""' } },
  example: [
    '{"version":"0.5","requires":["zlib/1.2.11#ffa77daf83a57094149707928bdce823%1667396813"],"build_requires":[],"python_requires":[]}',
    '[requires]\nzlib/[~1.2.11]\n',
  ],
  layout: lockLayout({
    ecosystem: 'conan',
    lock: pathsOf('conan.lock'),
    manifest: pathsOf('conanfile.txt'),
    covers: 'folder',
  }),
}
