import { ActionIcon, Button, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { paths } from '../../../navigation/paths.ts'
import { Link } from '../../../router/react.tsx'
import { Modal } from '../../../ui/dialogs.tsx'
import { CrossIcon } from '../../../ui/icons.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import type { GroupFilters } from './group-query.ts'
import styles from './groups.module.css'
import { builtInViews, readViews, removeView, saveView, toViewQuery, type View } from './saved-views.ts'

interface Props {
  readonly orgId: string
  readonly filters: GroupFilters
  readonly hasExploited: boolean
}

export function Views({ orgId, filters, hasExploited }: Props) {
  const [saved, setSaved] = useState(() => readViews(orgId))
  const query = toViewQuery(filters)
  const common = builtInViews({ hasExploited })
  const isKnown = [...common, ...saved].some((view) => view.query === query)
  return (
    <nav aria-label="Views" className={styles['views']}>
      {common.map((view) => (
        <ViewLink key={view.name} orgId={orgId} view={view} isHere={view.query === query} />
      ))}
      {saved.map((view) => (
        <span key={view.name} className={styles['saved']}>
          <ViewLink orgId={orgId} view={view} isHere={view.query === query} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Remove view ${view.name}`}
            onClick={() => setSaved(removeView(orgId, view.name))}
          >
            <CrossIcon size={14} />
          </ActionIcon>
        </span>
      ))}
      {!isKnown && <SaveView onSave={(name) => setSaved(saveView(orgId, { name, query }))} />}
    </nav>
  )
}

function ViewLink({ orgId, view: { name, query }, isHere }: { orgId: string; view: View; isHere: boolean }) {
  return (
    <Link
      to={query === '' ? paths.issues(orgId) : `${paths.issues(orgId)}?${query}`}
      className={styles['view']}
      aria-current={isHere ? 'page' : undefined}
    >
      {name}
    </Link>
  )
}

function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const [isOpen, { open, close }] = useDisclosure()
  const [name, setName] = useState('')
  function submit() {
    if (name.trim() !== '') onSave(name.trim())
    close()
  }
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={open}>
        Save view
      </Button>
      <Modal opened={isOpen} onClose={close} title="Save view" centered>
        <SubmitForm onSubmit={submit}>
          <Group gap="xs" align="flex-end">
            <TextInput
              label="Name"
              value={name}
              maxLength={60}
              data-autofocus
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
            <Button type="submit">Save</Button>
          </Group>
        </SubmitForm>
      </Modal>
    </>
  )
}
