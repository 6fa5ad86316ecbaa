import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { isPermissive } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import type { Config } from '#foundation/config.ts'
import { explainPath } from '#foundation/http/refusals.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { AffectedPackagesResult, DepGraphResult } from './dep-graph-answer.ts'
import { DepGraphRequest } from './dep-graph-request.ts'
import { chooseForm, mediaTypes, type ResultForm } from './forms.ts'
import type { AnswerForm, SentSubject, TestFacts, TestTask } from './messages.ts'
import type { TestMetrics } from './metrics.ts'
import type { TestPool } from './pool.ts'
import { DepGraphQuery, PythonQuery, RepositoriesQuery, TestQuery, TestRequest, TestResult } from './resource.ts'
import { MAX_VALUES_OF_GRAPH, toPlainJson, toSentGraph, UNREAD } from './sent-graph.ts'
import { serverPython } from './server-python.ts'
import { waitingOf } from './waiting-client.ts'

const access = { orgOfQuery: ['org.read', 'org.package.test'] } as const
const tags = ['Package tests']

/** Each test is answered in the form that the caller accepts. */
const results = {
  description: 'What was found, in the form that was asked for',
  content: {
    [mediaTypes.json]: { schema: TestResult },
    [mediaTypes.sarif]: { schema: Type.Object({}, { description: 'A SARIF 2.1.0 log', additionalProperties: true }) },
    [mediaTypes.cyclonedx]: {
      schema: Type.Object({}, { description: 'A CycloneDX 1.6 bill of materials', additionalProperties: true }),
    },
  },
}

/** `POST /test/<id>` and `GET /test/<id>/…` for every ecosystem there is, and tests of graphs that were resolved elsewhere. */
export function packageTestRoutes(services: Services, pool: TestPool, metrics: TestMetrics): Routes {
  const run = createRunner(services, pool, metrics)
  return (scope) => {
    for (const ecosystem of ecosystems) {
      const { id, coordinates } = ecosystem
      const querystring = queryOf(ecosystem)
      scope.post(
        `/test/${id}`,
        {
          config: { access, largeMember: { name: 'files', maxValues: MAX_VALUES_OF_FILES } },
          schema: {
            operationId: `test${capitalised(id)}`,
            summary: `Test a ${id} project by its manifest and lockfile`,
            ...(ecosystem.about === undefined ? {} : { description: ecosystem.about }),
            tags,
            querystring,
            body: TestRequest,
            response: { 200: results },
          },
        },
        async (request, reply) => {
          const form = chooseForm(request.headers.accept)
          return run({ request, reply }, { ecosystem: id, subject: toSentFiles(request.body), form }, request.query)
        },
      )
      if (coordinates === undefined) continue
      explainSlashes(scope, id, coordinates.parameters)
      scope.get(
        `/test/${id}/${coordinates.parameters.map((parameter) => `:${parameter}`).join('/')}/:version`,
        {
          config: { access },
          schema: {
            operationId: `test${capitalised(id)}Package`,
            summary: `Test a published ${id} package`,
            tags,
            params: Type.Object(
              Object.fromEntries(
                [...coordinates.parameters, 'version'].map((parameter) => [
                  parameter,
                  Type.String({ minLength: 1, maxLength: 500 }),
                ]),
              ),
            ),
            querystring,
            response: { 200: results },
          },
        },
        async (request, reply) => {
          const form = chooseForm(request.headers.accept)
          const params = request.params as Record<string, string>
          const found = { name: coordinates.toName(params), version: params['version']! }
          const subject = { kind: 'package', package: found } as const
          return run({ request, reply }, { ecosystem: id, subject, form }, request.query)
        },
      )
    }
    depGraphRoutes(scope, run)
  }
}

/** Names of npm scopes and Go modules hold slashes, which clients have to encode. */
function explainSlashes(scope: Server, id: string, parameters: readonly string[]): void {
  const path = [...parameters, 'version'].map((name) => `{${name}}`).join('/')
  explainPath(scope, {
    pattern: new RegExp(`^/v1/test/${id}(/[^/]+){${parameters.length + 2},}$`),
    remedy: `. The path is /v1/test/${id}/${path}; encode each slash in a name as %2F`,
  })
}

/** The same test in two sets of clothes: as its own operation, and as command-line clients call it. */
function depGraphRoutes(scope: Server, run: Runner): void {
  const config = { access, largeMember: { name: 'depGraph', maxValues: MAX_VALUES_OF_GRAPH } } as const
  scope.post(
    '/test/dep-graph',
    {
      config,
      schema: {
        operationId: 'testDepGraph',
        summary: 'Test a dependency graph that was resolved elsewhere',
        description: 'For every package manager whose packages there are advisories for.',
        tags,
        querystring: DepGraphQuery,
        body: DepGraphRequest,
        response: { 200: DepGraphResult },
      },
    },
    async (request, reply) => run({ request, reply }, toDepGraphTask(request.body, 'dep-graph'), request.query),
  )
  scope.post(
    '/test-dep-graph',
    {
      config,
      schema: {
        operationId: 'testDepGraphOfClient',
        summary: 'Test a dependency graph, as command-line clients do',
        description: 'Parameters and members that are not described are ignored, as those clients send some.',
        tags,
        querystring: Type.Object(DepGraphQuery.properties),
        body: DepGraphRequest,
        response: { 200: AffectedPackagesResult },
      },
    },
    async (request, reply) => run({ request, reply }, toDepGraphTask(request.body, 'affected-packages'), request.query),
  )
}

/** Companion files, and what clients send beside them. */
const MAX_VALUES_OF_FILES = 20_000

function toSentFiles({ files, encoding }: TestRequest): SentSubject {
  return { kind: 'sent', as: 'files', pointer: '/files', json: toPlainJson(files), encoding }
}

function toDepGraphTask({ depGraph }: Static<typeof DepGraphRequest>, form: AnswerForm): Wanted {
  return { ecosystem: UNREAD, subject: toSentGraph(depGraph, '/depGraph'), form }
}

type Wanted = Pick<TestTask, 'ecosystem' | 'subject' | 'form'>

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Runs a test for the caller's organisation and answers with what came of it. */
type Runner = (exchange: Exchange, wanted: Wanted, query: RepositoriesQuery & PythonQuery) => Promise<FastifyReply>

function createRunner({ db, now, config }: Services, pool: TestPool, metrics: TestMetrics): Runner {
  return async ({ request, reply }, wanted, query) => {
    const org = orgOf(request)
    const policy = await findPolicy(db, org.id)
    const licencePolicy = policy === undefined || isPermissive(policy) ? undefined : policy
    const timer = metrics.begin(nameOf(wanted))
    const task = { ...wanted, ...toChoices(query, config), org: toOrg(org), licencePolicy }
    const answered = await pool.run(task, waitingOf(request, reply)).catch((error: unknown) => {
      timer('refused')
      throw error
    })
    if ('problem' in answered) {
      timer('refused')
      throw new Problem(answered.problem.code, answered.problem.faults)
    }
    timer(answered.facts.issues > 0 ? 'issues' : answered.facts.complete ? 'clean' : 'partial')
    return reply
      .headers(headersOf(answered.facts, now()))
      .type(`${typeOf(wanted.form)}; charset=utf-8`)
      .send(Buffer.from(answered.body.buffer, answered.body.byteOffset, answered.body.byteLength))
  }
}

/** What callers name becomes no label of a measurement. */
function nameOf({ subject, ecosystem }: Wanted): string {
  return subject.kind === 'sent' && subject.as === 'dep-graph' ? 'dep-graph' : ecosystem
}

function typeOf(form: AnswerForm): string {
  return Object.hasOwn(mediaTypes, form) ? mediaTypes[form as ResultForm] : mediaTypes.json
}

function toOrg({ id, name }: TestTask['org']): TestTask['org'] {
  return { id, name }
}

function queryOf({ takesRepositories, takesPython }: Ecosystem) {
  if (takesPython) return PythonQuery
  return takesRepositories ? RepositoriesQuery : TestQuery
}

function toChoices(query: RepositoriesQuery & PythonQuery, config: Config) {
  const { acceptPartial = false, includeDev = false, repository = [], pythonVersion, pythonPlatform } = query
  const { severityThreshold } = query
  for (const url of repository) requireWebUrl(url)
  const python = {
    ...serverPython(config),
    ...(pythonVersion !== undefined && { version: pythonVersion, basis: 'request' as const }),
    ...(pythonPlatform !== undefined && { platform: pythonPlatform }),
  }
  const threshold = severityThreshold === undefined ? {} : { severityThreshold }
  return { acceptPartial, includeDev, repositories: repository, python, ...threshold }
}

function requireWebUrl(text: string): void {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return
  throw new Problem('invalid-request', 'Parameter repository must be an http or https URL', {
    source: { parameter: 'repository' },
  })
}

/** What a script can read without parsing the body: whether all was tested, and with which advisories. */
function headersOf({ complete, advisories }: TestFacts, now: number): Record<string, string> {
  return {
    'gatehouse-coverage': complete ? 'complete' : 'partial',
    'gatehouse-advisories': advisories.digest,
    'gatehouse-advisories-age-seconds': String(Math.max(0, Math.round((now - advisories.builtAt) / 1000))),
    vary: 'accept',
    ...(advisories.isStarterSet && { 'gatehouse-advisories-set': 'starter' }),
  }
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
