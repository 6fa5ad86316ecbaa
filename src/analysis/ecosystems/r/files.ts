import { jsonKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import { isObject, ownValue } from '#analysis/documents/json-document.ts'
import type { EcosystemFiles } from '../ecosystem-files.ts'

export const renvFiles: EcosystemFiles = {
  ecosystem: 'renv',
  kinds: [
    jsonKind({
      id: 'renv.lock',
      label: 'a renv.lock (renv)',
      names: /^renv\.lock$/,
      notation: 'json',
      is: (document) => isObject(ownValue(document, 'R')) && isObject(ownValue(document, 'Packages')),
      isPlausible: (document) => isObject(ownValue(document, 'Packages')),
    }),
  ],
  target: ['renv.lock'],
  additional: [],
  renewal: { 'renv.lock': { all: 'Rscript -e "renv::update(); renv::snapshot()"' } },
  example: [
    '{"R":{"Version":"4.3.1","Repositories":[{"Name":"CRAN","URL":"https://cran.example"}]},"Packages":{"commonmark":{"Package":"commonmark","Version":"1.8.0","Source":"Repository","Repository":"CRAN","Requirements":["R"]}}}',
  ],
  layout: lockLayout({ ecosystem: 'renv', lock: pathsOf('renv.lock') }),
}
