import { textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import type { EcosystemFiles } from '../../ecosystem-files.ts'

/** A list of dependencies, as in environments of conda and charts of Helm. */
const LIST = /^dependencies:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*-[ \t]/m

export const pubFiles: EcosystemFiles = {
  ecosystem: 'pub',
  kinds: [
    textKind({
      id: 'pubspec.lock',
      label: 'a pubspec.lock (Pub)',
      names: /^pubspec\.lock$/,
      all: [/^packages:/m, /^sdks:|^[ \t]+source: (?:hosted|sdk|git|path)/m],
    }),
    textKind({
      id: 'pubspec_overrides.yaml',
      label: 'a pubspec_overrides.yaml (Pub)',
      names: /^pubspec_overrides\.yaml$/,
      all: [/^dependency_overrides:/m],
      none: [/^name:/m],
    }),
    {
      ...textKind({
        id: 'pubspec.yaml',
        label: 'a pubspec.yaml (Pub)',
        names: /^pubspec\.yaml$/,
        all: [/^name:[ \t]/m, /^(?:environment|dependencies|dev_dependencies|flutter|workspace):/m],
        none: [LIST, /^(?:channels|version: ?['"]?3['"]?|services|jobs|apiVersion):/m],
      }),
      isPlausible: ({ form, head }) => form === 'text' && /^name:/m.test(head),
    },
  ],
  target: ['pubspec.lock', 'pubspec.yaml'],
  additional: ['pubspec.lock', 'pubspec.yaml', 'pubspec_overrides.yaml'],
  renewal: {
    'pubspec.lock': { all: 'dart pub get', only: (names) => `dart pub upgrade ${names.join(' ')}` },
  },
  example: [
    'packages:\n  http:\n    dependency: "direct main"\n    description:\n      name: http\n      url: "https://registry.example"\n    source: hosted\n    version: "0.13.2"\nsdks:\n  dart: ">=3.0.0 <4.0.0"\n',
    'name: shop\nversion: 1.0.0\nenvironment:\n  sdk: ^3.0.0\ndependencies:\n  http: ^0.13.0\n',
  ],
  layout: lockLayout({
    ecosystem: 'pub',
    lock: pathsOf('pubspec.lock'),
    manifest: pathsOf('pubspec.yaml'),
    covers: 'below',
    isMember: (text) => /^resolution:[ \t]*['"]?workspace/m.test(text),
    beside: pathsOf('pubspec_overrides.yaml'),
  }),
}
