import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { isPermissive } from '#analysis/licenses/judge-license.ts'
import { findTestPolicies } from '#features/issue-index/policies/policies-store.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import { findPolicySetting } from '#features/policy-files/setting-store.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { explainPath } from '#foundation/http/refusals.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import { configuredBounds } from '#foundation/repositories/configured-bounds.ts'
import { createWorkspaces } from '#foundation/repositories/workspaces.ts'
import type { Services } from '#foundation/services.ts'
import type { TestMetrics } from '#scanning/pool/metrics.ts'
import { createTreeReader } from '#scanning/pool/read-tree.ts'
import type { TestPool } from '#scanning/pool/test-pool.ts'
import { waitingOf } from '#scanning/pool/waiting-client.ts'
import { DepGraphRequest } from '#scanning/reading/dep-graph-request.ts'
import { MAX_VALUES_OF_GRAPH, toPlainJson, toSentGraph, UNREAD } from '#scanning/reading/sent-graph.ts'
import type { AnswerForm, SentSubject, TestTask } from '#scanning/reading/task.ts'
import type { TestAnswer, TestFacts } from '#scanning/results/answer.ts'
import { TestResult } from '#scanning/results/test-result.ts'
import { AffectedPackagesResult, DepGraphResult } from './dep-graph-answer.ts'
import { chooseForm, mediaTypes, type ResultForm } from './forms.ts'
import {
  DepGraphQuery,
  PythonQuery,
  RepositoriesQuery,
  StandardLibraryQuery,
  TestQuery,
  TestRequest,
  TreeQuery,
} from './resource.ts'
import { openSentTree, TreeRequest, treeTypes } from './sent-tree.ts'
import { type ChoiceQuery, toExclusions, toTestChoices } from './test-choices.ts'
import { openTreeTest } from './test-tree.ts'
import { TreeResult, writeTreeAnswer } from './tree-answer.ts'

const access = { orgOfQuery: ['org.read', 'org.package.test'] } as const
const tags = ['Package tests']

const results = {
  description: 'The result in the requested format',
  content: {
    [mediaTypes.json]: { schema: TestResult },
    [mediaTypes.sarif]: {
      schema: Type.Object({}, { title: 'SarifLog', description: 'A SARIF 2.1.0 log', additionalProperties: true }),
    },
    [mediaTypes.cyclonedx]: {
      schema: Type.Object(
        {},
        { title: 'CycloneDxBom', description: 'A CycloneDX 1.6 bill of materials', additionalProperties: true },
      ),
    },
  },
}

/** `POST /test/<id>` and `GET /test/<id>/…` of every ecosystem, and tests of graphs that the client resolved. */
export function packageTestRoutes(services: Services, pool: TestPool, metrics: TestMetrics): Routes {
  const tester = createTester(services, pool, metrics)
  const run = createRunner({ services, tester })
  return (scope) => {
    for (const ecosystem of ecosystems) {
      const { id, coordinates } = ecosystem
      const querystring = queryOf(ecosystem)
      defineOperation(scope, {
        id: `test${capitalized(id)}`,
        at: `POST /test/${id}`,
        summary: `Test a ${id} project by its manifest and lockfile`,
        ...(ecosystem.about === undefined ? {} : { description: ecosystem.about }),
        tags,
        access,
        largeMember: { name: 'files', maxValues: MAX_VALUES_OF_FILES },
        query: querystring,
        body: TestRequest,
        response: { 200: results },
        handler: async (request, reply) => {
          const form = chooseForm(request.headers.accept)
          return run({ request, reply }, { ecosystem: id, subject: toSentFiles(request.body), form }, request.query)
        },
      })
      if (coordinates === undefined) continue
      explainSlashes(scope, id, coordinates.parameters)
      defineOperation(scope, {
        id: `test${capitalized(id)}Package`,
        at: `GET /test/${id}/${coordinates.parameters.map((parameter) => `:${parameter}`).join('/')}/:version`,
        summary: `Test a published ${id} package`,
        tags,
        access,
        params: Type.Object(
          Object.fromEntries(
            [...coordinates.parameters, 'version'].map((parameter) => [
              parameter,
              Type.String({ minLength: 1, maxLength: 500, description: coordinateDescriptions[parameter]! }),
            ]),
          ),
        ),
        query: querystring,
        response: { 200: results },
        handler: async (request, reply) => {
          const form = chooseForm(request.headers.accept)
          const params = request.params as Record<string, string>
          const identity = { name: coordinates.toName(params), version: params['version']! }
          const subject = { kind: 'package', package: identity } as const
          return run({ request, reply }, { ecosystem: id, subject, form }, request.query)
        },
      })
    }
    depGraphRoutes(scope, run)
    treeRoute(scope, services, { tester, pool })
  }
}

const coordinateDescriptions: Readonly<Record<string, string>> = {
  packageName: 'Name of the package; write the slash of an npm scope as `%2F`',
  groupId: 'Group id of the artifact',
  artifactId: 'Artifact id',
  group: 'Group of the module',
  name: 'Name of the module',
  gemName: 'Name of the gem',
  version: 'Version of the package',
}

/** Explains the encoding of slashes in npm scopes and Go modules. */
function explainSlashes(scope: Server, id: string, parameters: readonly string[]): void {
  const path = [...parameters, 'version'].map((name) => `{${name}}`).join('/')
  explainPath(scope, {
    pattern: new RegExp(`^/v1/test/${id}(/[^/]+){${parameters.length + 2},}$`),
    remedy: `. The path is /v1/test/${id}/${path}; encode each slash in a name as %2F`,
  })
}

/** Registers the test of a graph in both formats: as its own operation, and in that of command-line clients. */
function depGraphRoutes(scope: Server, run: Runner): void {
  const config = { access, largeMember: { name: 'depGraph', maxValues: MAX_VALUES_OF_GRAPH } } as const
  defineOperation(scope, {
    id: 'testDepGraph',
    at: 'POST /test/dep-graph',
    summary: 'Test a dependency graph that the client resolved',
    description: 'Supports every package manager with advisories.',
    tags,
    ...config,
    query: DepGraphQuery,
    body: DepGraphRequest,
    response: { 200: DepGraphResult },
    handler: async (request, reply) =>
      run({ request, reply }, toDepGraphTask(request.body, 'dep-graph'), request.query),
  })
  defineOperation(scope, {
    id: 'testDepGraphOfClient',
    at: 'POST /test-dep-graph',
    summary: 'Test a dependency graph in the format of command-line clients',
    description: 'Unknown parameters and members are ignored, since these clients send some.',
    tags,
    ...config,
    query: Type.Object(DepGraphQuery.properties),
    body: DepGraphRequest,
    response: { 200: AffectedPackagesResult },
    handler: async (request, reply) =>
      run({ request, reply }, toDepGraphTask(request.body, 'affected-packages'), request.query),
  })
}

/** Registers the test of several files, in which projects are found as in imports. */
function treeRoute(
  scope: Server,
  { config, db, now }: Services,
  { tester, pool }: { tester: Tester; pool: TestPool },
): void {
  const workspaces = createWorkspaces(join(config.dataDir, 'reading'))
  const bounds = configuredBounds(config)
  defineOperation(scope, {
    id: 'testFiles',
    at: 'POST /test/files',
    summary: 'Test every project in several files',
    description: `An extension. Finds projects as imports do, including lockfiles beside manifests, and tests each. The body is JSON, an archive (tar, tar.gz, zip), or multipart/form-data with one part per file, named by the path of the file.`,
    tags,
    access,
    largeMember: { name: 'files', maxValues: MAX_VALUES_OF_FILES },
    bytesOf: treeTypes,
    query: TreeQuery,
    body: TreeRequest,
    response: {
      200: {
        description: 'Each project with its result',
        content: { [mediaTypes.json]: { schema: TreeResult } },
      },
    },
    handler: async (request, reply) => {
      const { exclude, file = [], folder, packageManager, bill, after, ...query } = request.query
      const policyFiles = await findPolicySetting(db, orgOf(request).id)
      const exclusions = toExclusions(exclude)
      const choice = { exclusions, files: file, folder, packageManager, policyFiles, at: now() }
      const test = await tester({ request, reply }, query)
      const signal = clientSignal(reply)
      const source = await openSentTree(
        { body: request.body, contentType: request.headers['content-type'] ?? '' },
        { bounds, workspaces },
      )
      async function* parts() {
        try {
          const form = bill ? 'of-many-with-bill' : 'of-many'
          const tree = await openTreeTest(source, {
            choice,
            after,
            atOnce: TESTS_AT_ONCE,
            signal,
            reader: createTreeReader(pool, orgOf(request).id, waitingOf(request, reply)),
            onError: (err, { path, ecosystem }) =>
              request.log.error({ err, path, ecosystem }, 'a test of a tree failed'),
            test: (ecosystem, subject) => test({ ecosystem, subject, form }),
          })
          yield* writeTreeAnswer(tree, request.server.lendAnswerMemory(request, reply))
        } finally {
          await source.close()
        }
      }
      return sendParts(reply, parts())
    },
  })
}

/** Concurrent tests of one request, so that other requests get threads too. */
const TESTS_AT_ONCE = 4

/** Sends JSON as it is made. Throws what the first part throws. */
async function sendParts(reply: FastifyReply, parts: AsyncGenerator<Buffer>): Promise<FastifyReply> {
  const first = await parts.next()
  async function* all() {
    if (!first.done) yield first.value
    yield* parts
  }
  return reply.type(`${mediaTypes.json}; charset=utf-8`).send(Readable.from(all()))
}

/** Limit of JSON values in a body: companion files, and members that clients add. */
const MAX_VALUES_OF_FILES = 20_000

function toSentFiles({ files, encoding }: TestRequest): SentSubject {
  return { kind: 'sent', as: 'files', pointer: '/files', json: toPlainJson(files), encoding }
}

function toDepGraphTask({ depGraph, policy }: Static<typeof DepGraphRequest>, form: AnswerForm): TestInput {
  return { ecosystem: UNREAD, subject: toSentGraph(depGraph, '/depGraph', policy), form }
}

type TestInput = Pick<TestTask, 'ecosystem' | 'subject' | 'form'>

/** Runs a test for the caller's organization and sends the result. */
type Runner = (exchange: Exchange, input: TestInput, query: ChoiceQuery) => Promise<FastifyReply>

function createRunner({ services, tester }: { services: Services; tester: Tester }): Runner {
  return async ({ request, reply }, input, query) => {
    const test = await tester({ request, reply }, query)
    const answered = await test(input)
    if ('problem' in answered) throw new Problem(answered.problem.code, answered.problem.faults)
    return reply
      .headers(headersOf(answered.facts, services.now()))
      .type(`${typeOf(input.form)}; charset=utf-8`)
      .send(Buffer.from(answered.body.buffer, answered.body.byteOffset, answered.body.byteLength))
  }
}

/**
 * Creates the tests of the caller's organization: with its policies and the choices of the query, until the
 * client disconnects.
 */
type Tester = (exchange: Exchange, query: ChoiceQuery) => Promise<(input: TestInput) => Promise<TestAnswer>>

function createTester({ db, config, now }: Services, pool: TestPool, metrics: TestMetrics): Tester {
  return async ({ request, reply }, query) => {
    const org = orgOf(request)
    const policy = await findPolicy(db, org.id)
    const licensePolicy = policy === undefined || isPermissive(policy) ? undefined : policy
    const policyFiles = await findPolicySetting(db, org.id)
    const policies = await findTestPolicies(db, { orgId: org.id, groupId: org.groupId }, now())
    const decisions = { licensePolicy, policyFiles, policies }
    const choices = { ...toTestChoices(query, config), org: toOrg(org), ...decisions, at: now() }
    const waiting = waitingOf(request, reply)
    return async (input) => {
      const timer = metrics.begin(nameOf(input))
      const answered = await pool.run({ ...input, ...choices }, waiting).catch((error: unknown) => {
        timer('refused')
        throw error
      })
      if ('problem' in answered) timer('refused')
      else timer(answered.facts.issues > 0 ? 'issues' : answered.facts.complete ? 'clean' : 'partial')
      return answered
    }
  }
}

/** Returns a label without user input for metrics. */
function nameOf({ subject, ecosystem }: TestInput): string {
  return subject.kind === 'sent' && subject.as === 'dep-graph' ? 'dep-graph' : ecosystem
}

function typeOf(form: AnswerForm): string {
  return Object.hasOwn(mediaTypes, form) ? mediaTypes[form as ResultForm] : mediaTypes.json
}

function toOrg({ id, name, slug }: Required<TestTask['org']>): TestTask['org'] {
  return { id, name, slug }
}

function queryOf({ takesRepositories, takesPython, testsStandardLibrary }: Ecosystem) {
  if (takesPython) return PythonQuery
  if (testsStandardLibrary) return StandardLibraryQuery
  return takesRepositories ? RepositoriesQuery : TestQuery
}

/** Returns headers for scripts that do not parse the body: completeness, and the advisories used. */
function headersOf({ complete, advisories }: TestFacts, now: number): Record<string, string> {
  return {
    'gatehouse-coverage': complete ? 'complete' : 'partial',
    'gatehouse-advisories': advisories.digest,
    'gatehouse-advisories-age-seconds': String(Math.max(0, Math.round((now - advisories.builtAt) / 1000))),
    vary: 'accept',
    ...(advisories.isStarterSet && { 'gatehouse-advisories-set': 'starter' }),
  }
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
