import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { DepGraph, PolicyText } from '#scanning/reading/dep-graph-request.ts'
import { criticalities, environments, lifecycles, ProjectTag } from '../resource.ts'

/** Unknown members are ignored, since existing clients send some. */
export const MonitoredGraph = Type.Object({
  depGraph: DepGraph,
  meta: Type.Optional(Type.Unknown({ description: 'Only for package managers that this server does not support' })),
})

export const MonitorQuery = Type.Object({
  org: Type.Optional(
    Type.String({ description: 'Organization of the project: id or slug; default: the caller’s own' }),
  ),
  'prune-dep-graph': Type.Optional(
    Type.Boolean({ description: 'Read by clients; always false, since this server never prunes paths' }),
  ),
})

export const Monitored = Type.Object({
  ok: Type.Boolean({ description: 'Always true: the project was stored, whatever its issues' }),
  id: Uuid,
  uri: Type.String({
    format: 'uri',
    description: 'URL of the project’s page; the last part of its path is the project’s id',
  }),
})

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([nameText(maxLength, description), Type.Null()]))

/** The body that command-line clients send. Unknown members are ignored. */
export const ClientMonitoring = Type.Object({
  meta: Type.Optional(
    Type.Object({
      org: text(100, 'Id or slug of the organization; takes precedence over ?org='),
      name: text(500, 'Name of the project, as the client determined it'),
      projectName: text(500, 'Name of the project, as the user chose it'),
    }),
  ),
  depGraphJSON: DepGraph,
  policy: PolicyText,
  target: Type.Optional(
    Type.Union([
      Type.Object({
        remoteUrl: text(2000, 'URL of the project’s repository'),
        branch: text(1000, 'Checked-out branch'),
        name: text(500, 'Name for a graph without a repository'),
      }),
      Type.Null(),
    ]),
  ),
  targetFile: text(2000, 'Name of the manifest'),
  targetFileRelativePath: text(2000, 'Path of the manifest, relative to the client’s working directory'),
  targetReference: text(1000, 'For example the branch; each reference has its own project'),
  tags: Type.Optional(Type.Union([Type.Array(ProjectTag, { maxItems: 100 }), Type.Null()])),
  projectAttributes: Type.Optional(
    Type.Union([
      Type.Object({
        criticality: Type.Optional(Type.Union([Type.Array(Type.Enum(criticalities)), Type.Null()])),
        environment: Type.Optional(Type.Union([Type.Array(Type.Enum(environments)), Type.Null()])),
        lifecycle: Type.Optional(Type.Union([Type.Array(Type.Enum(lifecycles)), Type.Null()])),
      }),
      Type.Null(),
    ]),
  ),
})
export type ClientMonitoring = Static<typeof ClientMonitoring>

/** The response that those clients print and follow. */
export const ClientMonitored = Type.Object({
  ...Monitored.properties,
  org: Type.String(),
  projectName: Type.String(),
  path: Type.String(),
  isMonitored: Type.Boolean(),
  trialStarted: Type.Boolean(),
  licensesPolicy: Type.Null(),
})

nameSchemas({ MonitoredGraph, Monitored, ClientMonitoring, ClientMonitored })
