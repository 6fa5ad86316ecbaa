import { textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import type { EcosystemFiles } from '../../ecosystem-files.ts'

export const cocoapodsFiles: EcosystemFiles = {
  ecosystem: 'cocoapods',
  kinds: [
    textKind({
      id: 'Podfile.lock',
      label: 'a Podfile.lock (CocoaPods)',
      names: /^Podfile\.lock$/,
      all: [/^(?:PODS|PODFILE CHECKSUM|COCOAPODS):/m],
    }),
    textKind({
      id: 'Podfile',
      label: 'a Podfile (CocoaPods)',
      names: /^Podfile$/,
      all: [/^[ \t]*(?:pod(?:[ \t]*\()?[ \t]*['"]|use_frameworks!|platform :(?:ios|osx|tvos|watchos))/m],
    }),
  ],
  target: ['Podfile.lock', 'Podfile'],
  additional: ['Podfile.lock', 'Podfile'],
  renewal: { 'Podfile.lock': { all: 'pod install', only: (names) => `pod update ${names.join(' ')}` } },
  example: [
    'PODS:\n  - AFNetworking (4.0.0)\n\nDEPENDENCIES:\n  - AFNetworking (~> 4.0)\n\nSPEC REPOS:\n  trunk:\n    - AFNetworking\n\nCOCOAPODS: 1.15.2\n',
  ],
  layout: lockLayout({ ecosystem: 'cocoapods', lock: pathsOf('Podfile.lock'), manifest: pathsOf('Podfile') }),
}
