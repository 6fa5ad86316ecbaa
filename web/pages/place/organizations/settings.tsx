import { Code, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import type { Org } from '../../../api/resources.ts'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { usePlace, usePlaces } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import { PolicyFilesSetting } from '../ignores/policy-files.tsx'
import { SlaSection } from '../triage/sla-form.tsx'

export function OrgSettings() {
  const { id } = usePlace()
  const reading = useQuery({ queryKey: ['org', id], queryFn: () => callData('getOrg', { params: { org_id: id } }) })
  return (
    <ResourcePage kind="Organization settings" reading={reading}>
      {(org) => (
        <Page title="Organization settings" lead={org.attributes.name}>
          <About org={org} />
          <Rename key={org.attributes.updated_at} org={org} />
          <Section title="Policies">
            <PolicyFilesSetting orgId={id} />
            <PageLink to={paths.licensePolicy(id)} size="sm">
              License policy
            </PageLink>
          </Section>
          <SlaSection orgId={id} />
          <Deletion org={org} />
        </Page>
      )}
    </ResourcePage>
  )
}

function About({ org: { id, attributes } }: { org: Org }) {
  const group = usePlaces().data?.groups.find((group) => group.id === attributes.group_id)
  return (
    <Section title="About">
      <Facts
        of={[
          ['Id', <Code key="id">{id}</Code>],
          ['Slug', <Code key="slug">{attributes.slug}</Code>],
          [
            'Group',
            group ? (
              <PageLink key="group" to={paths.orgs(group.id)} size="sm">
                {group.attributes.name}
              </PageLink>
            ) : (
              <Code key="group">{attributes.group_id}</Code>
            ),
          ],
          ['Since', <RelativeTime key="since" time={attributes.created_at} />],
        ]}
      />
    </Section>
  )
}

function Rename({ org }: { org: Org }) {
  const [name, setName] = useState(org.attributes.name)
  const queries = useQueryClient()
  const renaming = useMutation({
    mutationFn: () =>
      call('updateOrg', {
        params: { org_id: org.id },
        body: { data: { id: org.id, type: 'org', attributes: { name: name.trim() } } },
      }),
    onSuccess: async () => {
      for (const queryKey of [['places'], ['orgs-of-group']]) void queries.invalidateQueries({ queryKey })
      await queries.invalidateQueries({ queryKey: ['org', org.id] })
    },
  })

  return (
    <Section title="Name">
      <SaveForm
        action="Rename organization"
        failure="Organization not renamed"
        saving={renaming}
        maw="30rem"
        onSubmit={() => renaming.mutate()}
      >
        <TextInput
          label="Name"
          description="The slug stays, as scripts and links use it"
          {...textField(name, setName, faultOf(renaming.error, 'name'))}
          maxLength={60}
          required
        />
      </SaveForm>
    </Section>
  )
}

function Deletion({ org }: { org: Org }) {
  return (
    <Section title="Delete">
      <Group justify="space-between" gap="sm">
        <Text span>Everything in the organization is deleted too.</Text>
        <FormDialog action="Delete this organization" title={`Delete ${org.attributes.name}?`}>
          {(close) => <DeletionForm org={org} onDone={close} />}
        </FormDialog>
      </Group>
    </Section>
  )
}

/** Asks the user to type the slug: the deletion affects too much for a single click. */
function DeletionForm({ org, onDone }: { org: Org; onDone: () => void }) {
  const { slug, group_id } = org.attributes
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call('deleteOrgV1', { params: { orgId: org.id } }),
    onSuccess: () => {
      for (const queryKey of [['places'], ['orgs-of-group']]) void queries.invalidateQueries({ queryKey })
      const isInGroup = queries
        .getQueryData<{ groups: { id: string }[] }>(['places'])
        ?.groups.some(({ id }) => id === group_id)
      navigate(isInGroup ? paths.orgs(group_id) : paths.overview, { replace: true })
    },
  })
  return (
    <DialogForm
      action="Delete organization"
      failure="Organization not deleted"
      saving={{ ...deleting, isPending: deleting.isPending || deleting.isSuccess }}
      isDangerous
      isDisabled={typed !== slug}
      onSubmit={() => deleting.mutate()}
      onCancel={onDone}
    >
      <Text size="sm">
        Its projects with their history, ignores, imports, integrations, webhooks, apps and service accounts are
        deleted. Their keys, secrets and tokens stop working at once. Users stay in the group. This cannot be undone.
      </Text>
      <TextInput
        label={`Type ${slug} to confirm`}
        {...textField(typed, setTyped)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  )
}
