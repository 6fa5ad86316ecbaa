import { Alert, Button, Code, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import { type Progress, requestImport } from '../../../api/imports.ts'
import type { Import } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { useCreation } from '../../../components/creation.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate, useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ErrorIcon, WarningIcon } from '../../../ui/icons.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age, RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { ImportProgress } from './import-progress.tsx'
import { Manifests } from './manifests.tsx'
import { useProgress } from './use-progress.ts'

interface OfImport {
  readonly orgId: string
  readonly of: Import
}

export function ImportPage() {
  const { id: orgId } = usePlace()
  const { importId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['import', orgId, importId],
    queryFn: () => callData('getImport', { params: { org_id: orgId, import_id: importId } }),
  })
  return (
    <ResourcePage kind="Import" reading={reading}>
      {(of) => <Shown key={of.id} orgId={orgId} of={of} />}
    </ResourcePage>
  )
}

function Shown({ orgId, of }: OfImport) {
  const progress = useProgress(orgId, of)
  return (
    <Page title={`Import of ${of.attributes.name}`}>
      <Notes of={of} />
      <ProgressSection orgId={orgId} of={of} progress={progress} />
      <Manifests orgId={orgId} importId={of.id} progress={progress} />
      <LeftOut of={of} />
      <About orgId={orgId} of={of} />
    </Page>
  )
}

function Notes({ of: { attributes } }: { of: Import }) {
  const { state, message, is_truncated } = attributes
  if (message === null && !is_truncated) return null
  const isFailed = state === 'failed'
  return (
    <Alert
      color={isFailed ? 'red' : 'yellow'}
      icon={isFailed ? <ErrorIcon /> : <WarningIcon />}
      title={isFailed ? 'The import failed' : 'The import is incomplete'}
      role="status"
    >
      <span className="breakable">{message ?? 'Not all manifests were imported.'}</span>
    </Alert>
  )
}

const reasons = {
  submodule: 'submodule',
  package_manager: 'not supported',
  limit: 'beyond the maximum for one import',
  policy_file: 'excluded by a policy file',
  out_of_scope: 'not covered by tests of packages',
  installed_packages: 'installed packages',
} as const

function LeftOut({ of: { attributes } }: { of: Import }) {
  const { left_out = [] } = attributes
  if (left_out.length === 0) return null
  return (
    <Section title="Not tested">
      <ul className="breakable">
        {left_out.map(({ path, package_manager, reason }) => (
          <li key={`${reason} ${path}`}>
            <Code>{path}</Code> {package_manager === null ? reasons[reason] : `${package_manager}, ${reasons[reason]}`}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ProgressSection({ orgId, of, progress }: OfImport & { progress: Progress }) {
  return (
    <Section title="Progress">
      <ImportProgress progress={progress} />
      {progress.state === 'pending' ? <Cancel orgId={orgId} of={of} /> : <Again orgId={orgId} of={of} />}
    </Section>
  )
}

function Cancel({ orgId, of }: OfImport) {
  return (
    <Group>
      <ConfirmButton
        action="Stop import"
        title="Stop this import?"
        verb="Stop import"
        refusal="Keep importing"
        failure="Import not stopped"
        changes={[
          ['import', orgId, of.id],
          ['imports', orgId],
        ]}
        run={() => call('cancelImport', { params: { org_id: orgId, import_id: of.id } })}
      >
        Manifests imported so far are kept. The rest is not read.
      </ConfirmButton>
    </Group>
  )
}

function Again({ orgId, of }: OfImport) {
  const navigate = useNavigate()
  const { target, files, exclusion_globs } = of.attributes
  const importing = useCreation({
    create: (integrationId: string, key) => {
      const input = { integrationId, target, files: files ?? [], exclusionGlobs: exclusion_globs ?? undefined }
      return requestImport(orgId, input, key)
    },
    listKey: ['imports', orgId],
    onCreated: (id) => navigate(paths.importRun(orgId, id)),
  })
  return (
    <>
      {importing.error && <RefusalAlert title="Not started" error={importing.error} />}
      <Group>
        <Button
          variant="default"
          loading={importing.isPending}
          onClick={() => importing.mutate(of.relationships.integration.data.id)}
        >
          Import again
        </Button>
      </Group>
    </>
  )
}

function About({ orgId, of: { id, attributes, relationships } }: OfImport) {
  const target = relationships.target?.data.id
  const { files, exclusion_globs, requested_by, cause } = attributes
  return (
    <Section title="About">
      <Facts
        of={[
          [
            'Projects',
            target && (
              <PageLink key="target" to={`${paths.projects(orgId)}?target_id=${target}`} size="sm">
                All of {attributes.name}
              </PageLink>
            ),
          ],
          ['Integration', <Source key="integration" orgId={orgId} id={relationships.integration.data.id} />],
          ['Branch', attributes.reference ?? undefined],
          ['Revision', attributes.revision === null ? undefined : <Code key="revision">{attributes.revision}</Code>],
          ['Only files', files === null ? undefined : files.join(', ')],
          ['Left out', exclusion_globs === null ? undefined : exclusion_globs || 'nothing'],
          ['By', cause === 'schedule' ? 'the schedule' : requested_by.name],
          ['Requested', <RelativeTime key="created" time={attributes.created_at} />],
          ['Ended', attributes.ended_at === null ? undefined : <Age key="ended" time={attributes.ended_at} />],
          ['Id', <Code key="id">{id}</Code>],
        ]}
      />
    </Section>
  )
}

function Source({ orgId, id }: { orgId: string; id: string }) {
  const reading = useQuery({
    queryKey: ['integration', orgId, id],
    queryFn: () => callData('getIntegration', { params: { org_id: orgId, integration_id: id } }),
  })
  return (
    <PageLink to={paths.integration(orgId, id)} size="sm">
      {reading.data?.attributes.name ?? 'Source'}
    </PageLink>
  )
}
