import { textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import type { Layout } from '#analysis/discovery/projects-in-tree/tree.ts'
import { folderOf, isBelow, nameOf } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import type { EcosystemFiles } from '../ecosystem-files.ts'

const usual = lockLayout({
  ecosystem: 'haskell',
  lock: /(?:^|\/)(?:stack[\w.-]*\.yaml\.lock|cabal\.project(?:\.[\w-]+)*\.freeze)$/,
  manifest: /(?:^|\/)stack[\w.-]*\.yaml$/,
  beside: /(?:^|\/)stack[\w.-]*\.yaml$/,
  isProject: (text) => /^(?:resolver|snapshot):/m.test(text),
})
const MANIFEST = /(?:\.cabal|(?:^|\/)cabal\.project)$/

/** A lock of Stack covers the configuration of its name; every lock covers the packages of its folder and below. */
const layout: Layout = {
  ...usual,
  isWanted: (path) => usual.isWanted(path) || MANIFEST.test(path),
  async find(tree) {
    const [locks, others] = [new Set<string>(), new Set<string>()]
    for (const { path, covers } of await usual.find(tree)) {
      if (path.endsWith('.yaml')) others.add(path)
      else locks.add(path)
      for (const one of covers) others.add(one)
    }
    const texts = await tree.read([...others])
    const free = [...others].filter(
      (path) => !locks.has(`${path}.lock`) && /^(?:resolver|snapshot):/m.test(texts.get(path) ?? ''),
    )
    const manifests = [...tree.paths].filter((path) => MANIFEST.test(path))
    return [...locks, ...free].map((path) => {
      const folder = folderOf(path)
      const own = path.replace(/\.lock$/, '')
      const below = manifests.filter((one) => folderOf(one) === folder || isBelow(one, folder))
      return { ecosystem: 'haskell', path, covers: [...(own !== path && others.has(own) ? [own] : []), ...below] }
    })
  },
  async filesBeside(project, tree) {
    const own = project.path.replace(/\.lock$/, '')
    return own === project.path || !tree.paths.has(own) ? [] : [{ path: own, seen: nameOf(own) }]
  },
}

export const haskellFiles: EcosystemFiles = {
  ecosystem: 'haskell',
  kinds: [
    textKind({
      id: 'stack.yaml.lock',
      label: 'a stack.yaml.lock (Stack)',
      names: /^stack[\w.-]*\.yaml\.lock$/,
      all: [/^snapshots:/m, /^packages:/m],
      none: [/^lockfileVersion:/m],
    }),
    textKind({
      id: 'stack.yaml',
      label: 'a stack.yaml (Stack)',
      names: /^stack[\w.-]*\.yaml$/,
      all: [/^(?:resolver|snapshot): *\S/m],
      none: [/^(?:snapshots|lockfileVersion|cabal-version):/im],
    }),
    textKind({
      id: 'cabal.project.freeze',
      label: 'a cabal.project.freeze (Cabal)',
      names: /^cabal\.project(?:\.[\w-]+)*\.freeze$/,
      all: [/^constraints:\s*(?:any\.)?[\w-]+ /m],
    }),
  ],
  target: ['cabal.project.freeze', 'stack.yaml.lock', 'stack.yaml'],
  additional: ['stack.yaml', 'stack.yaml.lock'],
  renewal: { 'cabal.project.freeze': { all: 'cabal freeze' }, 'stack.yaml.lock': { all: 'stack build --dry-run' } },
  example: [
    'active-repositories: hackage.haskell.org:merge\nconstraints: any.text ==1.2.5.0,\n             text -developer,\n             any.base ==4.14.3.0\n',
  ],
  layout,
}
