/** Files that are known by their names but not read. */
export interface UnreadFiles {
  /** `*` stands for any text, and a folder in front must be there. */
  readonly names: readonly string[]
  /** Matches contents that declare dependencies, for names that other files have too. */
  readonly content?: RegExp
  /** A sentence without its period; default: that the manager is not read. */
  readonly reason?: string
  /** True for files that no test of packages covers: they are named, and the test is complete without them. */
  readonly isOutOfScope?: boolean
}

/**
 * Manifests and locks that are not read, by package manager. Remove the names of a manager when its files are read.
 */
export const unreadFiles: Readonly<Record<string, readonly (string | UnreadFiles)[]>> = {
  'Ansible Galaxy': [{ names: ['requirements.yml'], content: /^(?:roles|collections|- (?:src|name)):/m }],
  Bazel: ['MODULE.bazel', 'MODULE.bazel.lock', 'WORKSPACE', 'WORKSPACE.bazel', 'maven_install.json'],
  Berkshelf: ['Berksfile', 'Berksfile.lock'],
  Bower: ['bower.json'],
  Buildout: ['buildout.cfg'],
  'Bun (binary lock)': ['bun.lockb'],
  Carthage: ['Cartfile', 'Cartfile.resolved'],
  'Clojure CLI': ['deps.edn'],
  CocoaPods: ['*.podspec'],
  Conan: ['conanfile.py'],
  conda: [
    'conda-lock.yml',
    'conda-lock.yaml',
    {
      names: ['environment*.yml', 'environment*.yaml', 'conda*.yml', 'conda*.yaml', 'env.yml', 'env.yaml'],
      content: /^dependencies:[ \t]*\r?\n[ \t]*-/m,
    },
  ],
  CPAN: ['cpanfile', 'cpanfile.snapshot', 'Makefile.PL', 'Build.PL'],
  Deno: ['deno.json', 'deno.jsonc', 'deno.lock'],
  Docker: [
    {
      names: ['Dockerfile', 'Dockerfile.*', '*.Dockerfile', '*.dockerfile', 'Containerfile'],
      reason: 'Images and packages of operating systems are not tested here',
      isOutOfScope: true,
    },
  ],
  dub: ['dub.json', 'dub.sdl', 'dub.selections.json'],
  Elm: ['elm.json', 'elm-package.json'],
  Gleam: ['gleam.toml'],
  Glide: ['glide.yaml', 'glide.lock'],
  'Go dep': ['Gopkg.toml', 'Gopkg.lock'],
  'Go modules': [{ names: ['go.sum'], reason: 'No go.mod beside it declares the modules whose checksums it holds' }],
  godep: ['Godeps/Godeps.json'],
  'Gradle Consistent Versions': ['versions.lock', 'versions.props'],
  'Gradle dependency verification': [
    {
      names: ['gradle/verification-metadata.xml'],
      reason: 'It holds checksums of all artifacts that the build may load, not the versions that it uses',
      isOutOfScope: true,
    },
  ],
  Haxelib: ['haxelib.json'],
  Helm: ['Chart.lock', { names: ['Chart.yaml', 'requirements.yaml', 'requirements.lock'], content: /^dependencies:/m }],
  Homebrew: ['Brewfile', 'Brewfile.lock.json'],
  Ivy: ['ivy.xml'],
  'Java archives': [{ names: ['*.jar', '*.war', '*.ear', '*.aar'], reason: 'Archives of Java are not read here' }],
  'jsonnet-bundler': ['jsonnetfile.json', 'jsonnetfile.lock.json'],
  Julia: [
    { names: ['Project.toml'], content: /^\[deps\]/m },
    { names: ['Manifest.toml'], content: /^\[\[(?:deps\.)?\w+\]\]|^julia_version/m },
  ],
  Leiningen: ['project.clj'],
  LibMan: ['libman.json'],
  LuaRocks: ['*.rockspec'],
  Mill: ['build.sc', 'build.mill'],
  Nimble: ['*.nimble', 'nimble.lock'],
  Nix: ['flake.lock'],
  opam: ['*.opam', 'opam.locked'],
  Paket: ['paket.dependencies', 'paket.lock'],
  PDM: ['pdm.lock'],
  Pixi: ['pixi.toml', 'pixi.lock'],
  pnpm: ['package.json5', 'shrinkwrap.yaml'],
  Puppet: ['Puppetfile'],
  'Python archives': [{ names: ['*.whl', '*.egg'], reason: 'Archives of Python are not read here' }],
  R: ['packrat.lock', { names: ['DESCRIPTION'], content: /^(?:Imports|Depends):/m }],
  Raku: ['META6.json'],
  Shards: ['shard.yml', 'shard.lock'],
  Spack: ['spack.yaml', 'spack.lock'],
  Spago: ['spago.dhall', 'spago.yaml', 'spago.lock'],
  Stack: ['*.cabal', 'cabal.project'],
  Terraform: ['.terraform.lock.hcl'],
  tox: [{ names: ['tox.ini'], content: /^[ \t]*deps[ \t]*=/m }],
  'Unity packages': ['Packages/manifest.json', 'Packages/packages-lock.json'],
  vcpkg: ['vcpkg.json'],
  vlt: ['vlt-lock.json'],
  Zig: ['build.zig.zon'],
}
