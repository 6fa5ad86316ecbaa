import { Code, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../api/client.ts'
import { useCreation } from '../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { Listing } from '../../components/listing.tsx'
import { faultOf } from '../../components/refusal-alert.tsx'
import { useList } from '../../hooks/list.ts'
import { paths } from '../../navigation/paths.ts'
import { useNavigate } from '../../router/react.tsx'
import { Empty } from '../../ui/empty.tsx'
import { NameLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { textField } from '../../ui/text-field.ts'

export function Groups() {
  const list = useList(['groups'], (query) => call('listGroups', { query }))
  return (
    <Page
      title="Groups"
      lead="A group holds organizations, and the users and roles that they share."
      actions={
        <FormDialog action="New group" title="New group" variant="filled">
          {(close) => <NewGroup onDone={close} />}
        </FormDialog>
      }
    >
      <Listing
        things="groups"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: ({ id, attributes }) => <NameLink to={paths.orgs(id)} name={attributes.name} />,
          },
          { name: 'Slug', cell: ({ attributes }) => <Code>{attributes.slug}</Code> },
          { name: 'Since', width: '9rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
        ]}
        empty={
          <Empty title="No groups">
            You are a member of organizations only. An administrator of a group can add you to the group.
          </Empty>
        }
      />
    </Page>
  )
}

function NewGroup({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const creating = useCreation({
    create: (name: string, key) =>
      callData('createGroup', { body: { data: { type: 'group', attributes: { name: name } } }, idempotencyKey: key }),
    listKey: ['groups'],
    onCreated: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['places'] })
      onDone()
      navigate(paths.orgs(id))
    },
  })
  return (
    <DialogForm
      action="Create group"
      failure="Group not created"
      saving={creating}
      onSubmit={() => creating.mutate(name.trim())}
      onCancel={onDone}
    >
      <TextInput
        label="Name"
        description="You become its Group Admin"
        {...textField(name, setName, faultOf(creating.error, 'name'))}
        maxLength={60}
        required
        data-autofocus
      />
    </DialogForm>
  )
}
