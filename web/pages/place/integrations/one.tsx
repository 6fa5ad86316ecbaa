import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Archives } from './archives.tsx'
import { ChangeIntegration } from './change.tsx'
import { Connection } from './connection.tsx'
import { kindName } from './kinds.ts'
import { credentialsWords } from './list.tsx'
import type { OfIntegration } from './of-integration.ts'

export function IntegrationPage() {
  const { id: orgId } = usePlace()
  const { integrationId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['integration', orgId, integrationId],
    queryFn: () => callData('getIntegration', { params: { org_id: orgId, integration_id: integrationId } }),
  })
  return (
    <ResourcePage kind="Integration" reading={reading}>
      {(integration) => <Shown orgId={orgId} integration={integration} />}
    </ResourcePage>
  )
}

function Shown(of: OfIntegration) {
  const { orgId, integration } = of
  return (
    <Page
      title={integration.attributes.name}
      actions={
        <ButtonLink to={`${paths.newImport(orgId)}?integration=${integration.id}`}>Import from this source</ButtonLink>
      }
    >
      <About {...of} />
      {integration.attributes.kind === 'archive' ? <Archives {...of} /> : <Connection {...of} />}
      <ChangeIntegration key={integration.attributes.updated_at} {...of} />
      <Deletion
        name={integration.attributes.name}
        kind="integration"
        words="Its projects are kept but no longer updated."
        listKeys={[['integrations', orgId]]}
        backTo={paths.integrations(orgId)}
        remove={() => call('deleteIntegration', { params: { org_id: orgId, integration_id: integration.id } })}
      >
        Its credentials, archives and import history are deleted, and running imports are canceled. This cannot be
        undone.
      </Deletion>
    </Page>
  )
}

function About({ integration: { id, attributes } }: OfIntegration) {
  return (
    <Section title="About">
      <Facts
        of={[
          ['Kind', kindName(attributes.kind)],
          ['Address', attributes.base_url ?? undefined],
          ['Credentials', credentialsWords(attributes)],
          ['Since', <RelativeTime key="since" time={attributes.created_at} />],
          ['Changed', <RelativeTime key="changed" time={attributes.updated_at} />],
          ['Id', <Code key="id">{id}</Code>],
        ]}
      />
    </Section>
  )
}
