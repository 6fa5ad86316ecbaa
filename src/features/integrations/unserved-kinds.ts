import { type TSchema, Type } from 'typebox'

const Text = Type.String({ minLength: 1 })
/** A host, its port, a path, and a tag or a digest. No character fits two neighboring parts, or long texts take minutes. */
const IMAGE = '^[^\\s:]+(?::\\d[^\\s:]*)?(?::[^\\s:/]+|@sha256:[0-9a-f]+)$'
const onlyMembers = { additionalProperties: false } as const

/** Targets of the interface that this server does not import: their members and kinds. */
export const unservedTargets: readonly {
  readonly what: string
  readonly Target: TSchema
  readonly kinds: readonly string[]
}[] = [
  {
    what: 'Apps of Heroku',
    Target: Type.Object({ appId: Text, slugId: Text }),
    kinds: ['heroku'],
  },
  { what: 'Functions', Target: Type.Object({ functionId: Text }), kinds: ['aws-lambda'] },
  {
    what: 'Apps of app platforms',
    Target: Type.Object({ appId: Text }),
    kinds: ['cloud-foundry', 'pivotal', 'ibm-cloud'],
  },
  {
    what: 'Container images',
    Target: Type.Object({ name: Type.String({ pattern: IMAGE }) }, onlyMembers),
    kinds: [
      'docker-hub',
      'acr',
      'ecr',
      'artifactory-cr',
      'nexus-cr',
      'gcr',
      'google-artifact-cr',
      'harbor-cr',
      'digitalocean-cr',
      'quay-cr',
      'gitlab-cr',
      'github-cr',
    ],
  },
]

/** Kinds of the interface that this server does not read. The last two authenticate as an app, not with a token. */
export const unservedKinds: readonly string[] = [
  ...unservedTargets.flatMap(({ kinds }) => kinds),
  'github-cloud-app',
  'github-server-app',
]
