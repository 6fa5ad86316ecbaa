import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Ignore } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { Note } from '../../../components/note.tsx'
import { paths } from '../../../navigation/paths.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { Modal } from '../../../ui/dialogs.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { IgnoreForm } from './ignore-form.tsx'
import { keysOfIgnores } from './read-again.ts'
import { pathWords, reasonTypes, staleReasons } from './words.ts'

interface Shown {
  readonly columns: readonly Column<Ignore>[]
  /** The dialog of the columns' actions. */
  readonly dialog: ReactNode
}

/** Lists, edits and deletes ignores of one or all projects. */
export function useIgnoresTable(orgId: string, { withProject }: { withProject: boolean }): Shown {
  const [changing, setChanging] = useState<Ignore>()
  const columns: Column<Ignore>[] = [
    { name: 'Ignored', cell: (ignore) => <Issue ignore={ignore} /> },
    ...(withProject ? [{ name: 'Where', cell: (ignore: Ignore) => <Project orgId={orgId} ignore={ignore} /> }] : []),
    { name: 'Why', cell: (ignore) => <Why ignore={ignore} /> },
    { name: 'Who', width: '8rem', cell: (ignore) => <Who ignore={ignore} /> },
    { name: 'State', width: '11rem', cell: (ignore) => <State ignore={ignore} /> },
    {
      name: 'Action',
      width: '11rem',
      cell: (ignore) =>
        ignore.attributes.source === 'repository' ? (
          <Note>From the repository. Change the file to remove it.</Note>
        ) : (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Edit the ignore of ${wordsOf(ignore)}`}
              onClick={() => setChanging(ignore)}
            >
              Edit
            </Button>
            <ConfirmButton
              size="compact-sm"
              action="Delete"
              name={`Delete the ignore of ${wordsOf(ignore)}`}
              title="Delete this ignore?"
              verb="Delete ignore"
              failure="Ignore not deleted"
              changes={keysOfIgnores(orgId)}
              run={() => call('deleteIgnore', { params: { org_id: orgId, ignore_id: ignore.id } })}
            >
              {wordsOf(ignore)} counts again, unless another ignore matches it.
            </ConfirmButton>
          </Group>
        ),
    },
  ]
  const close = () => setChanging(undefined)
  const dialog = (
    <Modal
      opened={changing !== undefined}
      onClose={close}
      title={changing && `Ignore of ${changing.attributes.issue_id}`}
      size="lg"
    >
      {changing && (
        <IgnoreForm
          orgId={orgId}
          projectId={changing.relationships.project.data.id}
          issueId={changing.attributes.issue_id}
          ignore={changing}
          onDone={close}
          onCancel={close}
        />
      )}
    </Modal>
  )
  return { columns, dialog }
}

function wordsOf({ attributes }: Ignore): string {
  return `${attributes.issue_id} on ${pathWords(attributes.path)}`
}

function Issue({ ignore: { attributes } }: { ignore: Ignore }) {
  return (
    <>
      <Text span fw={600} size="sm">
        {attributes.issue_id}
      </Text>
      <Note>{pathWords(attributes.path)}</Note>
    </>
  )
}

function Project({ orgId, ignore: { relationships } }: { orgId: string; ignore: Ignore }) {
  const { id, attributes } = relationships.project.data
  return <PageLink to={paths.project(orgId, id)}>{attributes.name}</PageLink>
}

function Why({ ignore: { attributes } }: { ignore: Ignore }) {
  return (
    <>
      <Text span size="sm">
        {reasonTypes[attributes.reason_type].name}
      </Text>
      <Note>{attributes.reason}</Note>
    </>
  )
}

function Who({ ignore: { attributes } }: { ignore: Ignore }) {
  return (
    <>
      {attributes.ignored_by.name}
      <Note>
        <Age time={attributes.updated_at} />
      </Note>
    </>
  )
}

function State({ ignore }: { ignore: Ignore }) {
  const { stale_because: reason, expires_at } = ignore.attributes
  return (
    <>
      {reason === null ? (
        <StateBadge tone="good">in effect</StateBadge>
      ) : (
        <StateBadge tone="warning">{reason === 'expired' ? 'ended' : 'no effect'}</StateBadge>
      )}
      <Note>
        {reason !== null && reason !== 'expired' && <>{staleReasons[reason]}. </>}
        {reason === 'expired' ? <Age time={expires_at ?? ''} /> : <Until ignore={ignore} />}
      </Note>
    </>
  )
}

function Until({ ignore: { attributes } }: { ignore: Ignore }) {
  const { expires_at, disregard_if_fixable } = attributes
  return (
    <>
      {expires_at === null ? (
        'No end'
      ) : (
        <>
          Ends <Age time={expires_at} />
        </>
      )}
      {disregard_if_fixable && ', only while no fix exists'}
    </>
  )
}
