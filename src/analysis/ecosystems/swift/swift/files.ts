import { jsonKind, textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import { folderOf } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { isObject, ownValue } from '#analysis/documents/json-document.ts'
import type { EcosystemFiles } from '../../ecosystem-files.ts'

/** The end of a folder in a project or workspace of Xcode. */
const XCODE = /(?:^|\/)xcshareddata\/swiftpm$/

export const swiftFiles: EcosystemFiles = {
  ecosystem: 'swift',
  kinds: [
    jsonKind({
      id: 'Package.resolved',
      label: 'a Package.resolved (Swift)',
      names: /^Package\.resolved$/,
      notation: 'json',
      is: (document) => {
        const object = ownValue(document, 'object')
        return (
          Array.isArray(ownValue(document, 'pins')) || (isObject(object) && Array.isArray(ownValue(object, 'pins')))
        )
      },
    }),
    textKind({
      id: 'Package.swift',
      label: 'a Package.swift',
      names: /^Package\.swift$/,
      all: [/swift-tools-version|^import PackageDescription/m],
    }),
  ],
  target: ['Package.resolved', 'Package.swift'],
  additional: ['Package.resolved', 'Package.swift'],
  renewal: {
    'Package.resolved': {
      all: 'swift package update',
      only: (names) => `swift package update ${names.map(toIdentity).join(' ')}`,
    },
  },
  example: [
    '{\n  "pins": [\n    {\n      "identity": "swift-nio-http2",\n      "kind": "remoteSourceControl",\n      "location": "https://github.com/apple/swift-nio-http2.git",\n      "state": { "revision": "50c25c132b140e62b45e90c9ed4a3bf9ab3f9a00", "version": "1.19.1" }\n    }\n  ],\n  "version": 2\n}\n',
  ],
  layout: lockLayout({
    ecosystem: 'swift',
    lock: pathsOf('Package.resolved'),
    manifest: pathsOf('Package.swift'),
    // Xcode's locks are of its own projects, not of a Package.swift beside them.
    toFolder: (lock) => {
      const folder = folderOf(lock)
      return XCODE.test(folder) ? lock : folder
    },
    isProject: (text) => /\.package\s*\(/.test(text),
  }),
}

/** Returns the name by which SwiftPM identifies a package. */
function toIdentity(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase()
}
