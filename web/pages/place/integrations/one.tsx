import { Button, Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { deleteIntegration, type Integration, readIntegration } from '../../../api/integrations.ts'
import { Deletion } from '../../../deletion.tsx'
import { paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { ThingPage } from '../../../thing-page.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { Archives } from './archives.tsx'
import { ChangeIntegration } from './change.tsx'
import { Connection } from './connection.tsx'
import { kindName } from './kinds.ts'
import { credentialsWords } from './list.tsx'

export interface OfIntegration {
  readonly orgId: string
  readonly integration: Integration
}

export function IntegrationPage() {
  const { id: orgId } = usePlace()
  const { integrationId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['integration', orgId, integrationId],
    queryFn: () => readIntegration(orgId, integrationId),
  })
  return (
    <ThingPage kind="Integration" reading={reading}>
      {(integration) => <Shown orgId={orgId} integration={integration} />}
    </ThingPage>
  )
}

function Shown(of: OfIntegration) {
  const { orgId, integration } = of
  return (
    <Page
      title={integration.attributes.name}
      actions={
        <Button component={Link} to={`${paths.newImport(orgId)}?integration=${integration.id}`}>
          Import from it
        </Button>
      }
    >
      <About {...of} />
      {integration.attributes.kind === 'archive' ? <Archives {...of} /> : <Connection {...of} />}
      <ChangeIntegration key={integration.attributes.updated_at} {...of} />
      <Deletion
        name={integration.attributes.name}
        kind="integration"
        words="Its projects stay, but are not read again."
        listKeys={[['integrations', orgId]]}
        backTo={paths.integrations(orgId)}
        remove={() => deleteIntegration(orgId, integration.id)}
      >
        Its credentials and archives are gone, imports that run are ended, and the record of its imports is lost.
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
          ['Since', <Moment key="since" time={attributes.created_at} />],
          ['Changed', <Moment key="changed" time={attributes.updated_at} />],
          ['Id', <Code key="id">{id}</Code>],
        ]}
      />
    </Section>
  )
}
