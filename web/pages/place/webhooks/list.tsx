import { call } from '../../../api/client.ts'
import type { Webhook } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { useList } from '../../../hooks/list.ts'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { conditionOf, namesOf } from './words.ts'

export function Webhooks() {
  const { id: orgId } = usePlace()
  const list = useList(['webhooks', orgId], (query) => call('listWebhooks', { params: { org_id: orgId }, query }))
  const create = <ButtonLink to={paths.newWebhook(orgId)}>New webhook</ButtonLink>
  return (
    <Page
      title="Webhooks"
      lead="Notify other systems of new issues, imports and credentials."
      actions={list.isEmpty ? undefined : create}
    >
      <Listing
        things="webhooks"
        list={list}
        columns={[
          { name: 'Address', cell: (webhook) => <Address orgId={orgId} webhook={webhook} /> },
          { name: 'Events', width: '14rem', cell: ({ attributes }) => namesOf(attributes.events) },
          { name: 'State', width: '8rem', cell: (webhook) => <Condition webhook={webhook} /> },
          { name: 'Since', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
        ]}
        empty={
          <Empty title="No webhooks yet">
            Create a webhook to send signed events to your systems. <p>{create}</p>
          </Empty>
        }
      />
    </Page>
  )
}

function Address({ orgId, webhook: { id, attributes } }: { orgId: string; webhook: Webhook }) {
  return (
    <>
      <NameLink to={paths.webhook(orgId, id)} name={attributes.url} />
      {attributes.description !== '' && <Note>{attributes.description}</Note>}
    </>
  )
}

export function Condition({ webhook }: { webhook: Webhook }) {
  const { tone, word } = conditionOf(webhook)
  return <StateBadge tone={tone}>{word}</StateBadge>
}
