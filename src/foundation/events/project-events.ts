import { Type } from 'typebox'
import { describeEvent, exactly, Id, orNull } from './event-description.ts'

/** Limits the lists of one event; counts beside a list give its full length. */
export const MAX_LISTED = 100

const severityNames = ['low', 'medium', 'high', 'critical'] as const

const Project = exactly({
  id: Id,
  name: Type.String(),
  type: Type.String({ description: 'Package manager, as projects name it' }),
  target_id: Id,
})

export const issuesNew = describeEvent(
  {
    when: 'existing projects have new issues, from newer advisories or changed dependencies',
    needs: ['org.read', 'org.project.read', 'org.project.snapshot.read'],
  },
  {
    cause: Type.Enum(['advisories', 'import', 'monitor', 'retest'], { description: 'Cause of the discovery' }),
    projects: Type.Array(Project, {
      minItems: 1,
      maxItems: MAX_LISTED,
      description: `Affected projects. If an issue affects more than ${MAX_LISTED} projects, more events follow`,
    }),
    issue_count: Type.Integer({ minimum: 1 }),
    issues: Type.Array(
      exactly({
        id: Type.String(),
        type: Type.Enum(['vulnerability', 'license']),
        title: Type.String(),
        severity: Type.Enum([...severityNames]),
        packages: Type.Array(exactly({ name: Type.String(), version: Type.String() }), {
          maxItems: MAX_LISTED,
          description: 'The affected packages; a project may contain only some of them',
        }),
      }),
      { maxItems: MAX_LISTED, description: `The worst issues, at most ${MAX_LISTED}` },
    ),
  },
  {
    cause: 'advisories',
    projects: [
      {
        id: '6f1d1f0a-2f5c-4c88-9d0e-7c8b9a0d1e2f',
        name: 'team/app:package.json',
        type: 'npm',
        target_id: 'c2b1a0f9-8e7d-4c6b-9a5f-4e3d2c1b0a9f',
      },
    ],
    issue_count: 1,
    issues: [
      {
        id: 'GHSA-aaaa-bbbb-cccc',
        type: 'vulnerability',
        title: 'Prototype pollution',
        severity: 'high',
        packages: [{ name: 'left', version: '1.2.0' }],
      },
    ],
  },
)

export const issueOverdue = describeEvent(
  {
    when: 'the due date of a vulnerability passed; once per vulnerability and due date',
    needs: ['org.read', 'org.project.read', 'org.project.snapshot.read'],
  },
  {
    issue: exactly({ id: Type.String(), title: Type.String(), severity: Type.Enum([...severityNames]) }),
    due_on: Type.String({ format: 'date', description: 'The last day, in UTC' }),
    due_by: Type.Enum(['policy', 'user'], {
      description: 'policy: of the SLA policy, in all projects; user: set for a project or repository',
    }),
    project_count: Type.Integer({ minimum: 1 }),
    projects: Type.Array(
      exactly({
        ...Project.properties,
        assignee: orNull(exactly({ id: Id, name: Type.String() }), 'The assignee in this project'),
      }),
      { minItems: 1, maxItems: MAX_LISTED, description: `The first ${MAX_LISTED} projects with the open issue` },
    ),
  },
  {
    issue: { id: 'GHSA-aaaa-bbbb-cccc', title: 'Prototype pollution', severity: 'high' },
    due_on: '2026-03-02',
    due_by: 'policy',
    project_count: 1,
    projects: [
      {
        id: '6f1d1f0a-2f5c-4c88-9d0e-7c8b9a0d1e2f',
        name: 'team/app:package.json',
        type: 'npm',
        target_id: 'c2b1a0f9-8e7d-4c6b-9a5f-4e3d2c1b0a9f',
        assignee: { id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d', name: 'Alex Doe' },
      },
    ],
  },
)

export const importFinished = describeEvent(
  { when: 'an import finished', needs: ['org.edit'] },
  {
    import: exactly({
      id: Id,
      integration_id: Id,
      name: Type.String({ description: 'Name of the target' }),
      state: Type.Enum(['complete', 'failed', 'aborted']),
      cause: Type.Enum(['request', 'schedule']),
      message: orNull(Type.String(), 'Reason for the failure'),
    }),
    manifests: exactly({ done: Type.Integer({ minimum: 0 }), failed: Type.Integer({ minimum: 0 }) }),
  },
  {
    import: {
      id: 'd3c2b1a0-9f8e-4d7c-8b6a-5f4e3d2c1b0a',
      integration_id: 'e4d3c2b1-a09f-4e8d-9c7b-6a5f4e3d2c1b',
      name: 'team/app',
      state: 'complete',
      cause: 'request',
      message: null,
    },
    manifests: { done: 12, failed: 1 },
  },
)
