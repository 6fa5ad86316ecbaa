import type { Hidden, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = {
  name: 'github.com/dgrijalva/jwt-go',
  version: 'v3.2.0+incompatible',
  isAnyVersion: true,
  otherNames: ['github.com/dgrijalva/jwt-go.git', 'gopkg.in/dgrijalva/jwt-go.v3'],
}
const SOURCE = 'github.com/kardianos/vendor-spec'
const REVISION = '06ea1031745cb8b3dab3f6a236daf2b0aa468b7e'

interface VendorJson {
  readonly [member: string]: unknown
  readonly package?: readonly object[]
}

const tagged = { path: hidden.name, revision: REVISION, revisionTime: '2018-03-08T23:13:08Z', version: 'v3.2.0' }
const atCommit = { path: hidden.name, revision: REVISION, revisionTime: '2018-03-08T23:13:08Z' }

function adding(name: string, ...entries: readonly object[]): Spelling {
  return changing(name, (json) => ({ ...json, package: [...(json.package ?? []), ...entries] }))
}

function changing(name: string, change: (json: VendorJson) => object, tool: Spelling['tool'] = 'installs'): Spelling {
  return {
    name,
    source: SOURCE,
    tool,
    plant(files) {
      const text = files['vendor.json']!
      // Tests would take the project's own copy for the planted one.
      if (text.toLowerCase().includes(hidden.name)) return undefined
      return { ...files, 'vendor.json': JSON.stringify(change(JSON.parse(text) as VendorJson), null, '\t') }
    },
  }
}

function asText(name: string, text: string): Spelling {
  return { name, source: 'RFC 8259 §7', tool: 'installs', plant: () => ({ 'vendor.json': text }) }
}

/** govendor's lists. govendor itself is not asked: it fetches from the hosts of the repositories. */
export const govendor: Sabotage = {
  ecosystem: 'govendor',
  hidden,
  target: 'vendor.json',
  base: {
    'vendor.json': JSON.stringify({
      comment: '',
      ignore: 'test',
      package: [{ path: 'github.com/pkg/errors', revision: 'a'.repeat(40), version: 'v0.9.1', versionExact: 'v0.9.1' }],
      rootPath: 'example.test/project',
    }),
  },
  spellings: [
    adding('version', tagged),
    adding('exact version', { ...tagged, version: 'v3', versionExact: 'v3.2.0' }),
    adding('exact version alone', { ...tagged, version: undefined, versionExact: 'v3.2.0' }),
    adding('version with =', { ...tagged, version: '=v3.2.0' }),
    adding('version without v', { ...tagged, version: '3.2.0' }),
    adding('older exact version than the version', { ...tagged, version: 'v4.0.0', versionExact: 'v3.2.0' }),
    adding('branch', { ...tagged, version: 'master' }),
    adding('commit', atCommit),
    adding('short commit', { ...atCommit, revision: REVISION.slice(0, 7) }),
    adding('commit without its time', { path: hidden.name, revision: REVISION }),
    adding('time that is none', { ...atCommit, revisionTime: 'yesterday' }),
    adding('time after the fix', { ...atCommit, revisionTime: '2099-01-01T00:00:00Z' }),
    adding('time with a zone', { ...atCommit, revisionTime: '2018-03-08T23:13:08+02:00' }),
    adding('describe in the comment', { ...atCommit, comment: `v3.1.0-12-g${REVISION.slice(0, 7)}` }),
    adding('describe of a fixed version with another commit', { ...atCommit, comment: 'v4.0.0-12-gaaaaaaa' }),
    adding('version in the comment', { ...atCommit, comment: 'v3.2.0' }),
    adding('path alone', { path: hidden.name }),
    adding('path and digest', { path: hidden.name, checksumSHA1: '+TKtBzv23ywvmmqRiGEjUba4YmI=' }),
    // The package with the vulnerable code is not vendored: it is listed as not imported.
    changing(
      'package below the repository',
      ({ package: own = [], ...json }) => ({
        ...json,
        package: [...own, { ...tagged, path: `${hidden.name}/request` }],
      }),
      'ignores',
    ),
    adding('packages of one repository', tagged, { ...tagged, path: `${hidden.name}/request` }),
    adding('two commits of one repository', { ...tagged, version: 'v4.0.0', revision: 'b'.repeat(40) }, tagged),
    adding('one path twice', { ...tagged, version: 'v4.0.0', revision: 'b'.repeat(40) }, tagged),
    adding('one path and commit twice', { ...tagged, version: 'v4.0.0' }, tagged),
    adding('capitals in the path', { ...tagged, path: 'github.com/DGrijalva/JWT-Go' }),
    adding('slash at the end of the path', { ...tagged, path: `${hidden.name}/` }),
    adding('path with a scheme', { ...tagged, path: `https://${hidden.name}` }),
    adding('path with the ending of git', { ...tagged, path: `${hidden.name}.git` }),
    adding('path with two slashes', { ...tagged, path: 'github.com//dgrijalva/jwt-go' }),
    adding('path with a step', { ...tagged, path: 'github.com/./dgrijalva/jwt-go' }),
    adding('path with a step up', { ...tagged, path: 'github.com/x/../dgrijalva/jwt-go' }),
    adding('path with white space', { ...tagged, path: ` ${hidden.name} ` }),
    adding('path with backslashes', { ...tagged, path: 'github.com\\dgrijalva\\jwt-go' }),
    adding('path with a version', { ...tagged, path: `${hidden.name}@v3.2.0` }),
    adding('whole tree', { ...tagged, tree: true }),
    adding('whole tree by its path', { ...tagged, path: `${hidden.name}/^` }),
    adding('every package by its path', { ...tagged, path: `${hidden.name}/...` }),
    adding('copied from a fork', { ...tagged, origin: 'github.com/fork/jwt-go' }),
    adding('under the path of a fork', { ...tagged, path: 'github.com/fork/jwt-go', origin: hidden.name }),
    adding('copied from another vendor folder', {
      ...tagged,
      origin: `github.com/outer/project/vendor/${hidden.name}`,
    }),
    adding('under an own path', { ...tagged, path: 'example.test/project/jwt', origin: hidden.name }),
    adding('in the tree of another package', {
      path: 'github.com/outer/project',
      revision: 'c'.repeat(40),
      version: 'v1.0.0',
      tree: true,
    }),
    adding('inside the vendor folder of another package', {
      ...tagged,
      path: `github.com/outer/project/vendor/${hidden.name}`,
    }),
    adding('inside the vendor folder of the project', {
      ...tagged,
      path: `example.test/project/vendor/${hidden.name}`,
    }),
    adding('service of versions', { ...tagged, path: 'gopkg.in/dgrijalva/jwt-go.v3' }),
    adding('not vendored yet', { ...tagged, missing: true }),
    changing('member in capitals', ({ package: own = [], ...json }) => ({ ...json, Package: [...own, tagged] })),
    changing('both spellings of the member', (json) => ({ ...json, Package: [tagged] })),
    changing(
      'neither spelling of the member',
      ({ package: own = [], ...json }) => ({ ...json, package: own, PACKAGE: [tagged] }),
      'ignores',
    ),
    changing('members of the entry in capitals', (json) => ({
      ...json,
      package: [
        ...(json.package ?? []),
        { Path: hidden.name, Revision: REVISION, Version: 'v3.2.0', VersionExact: 'v3.2.0' },
      ],
    })),
    changing('ignored tag', (json) => ({ ...json, ignore: 'test', package: [...(json.package ?? []), tagged] })),
    asText(
      'members with escapes',
      `{"p\\u0061ckage":[{"p\\u0061th":"github.com/dgrij\\u0061lva/jwt-go","revision":"${REVISION}","version":"v3.2.0"}],"rootPath":"a"}`,
    ),
    asText(
      'list written twice, the last wins',
      `{"package":[],"rootPath":"a","package":[{"path":"${hidden.name}","revision":"${REVISION}","version":"v3.2.0"}]}`,
    ),
    asText(
      'byte order mark',
      `\uFEFF{"rootPath":"a","package":[{"path":"${hidden.name}","revision":"${REVISION}","version":"v3.2.0"}]}`,
    ),
  ],
}
