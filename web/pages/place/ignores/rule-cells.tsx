import { Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deletePolicy, restorePolicy } from '../../../api/policies.ts'
import type { Policy } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { Note } from '../../../components/note.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { keysOfRules } from './read-again.ts'
import { affectedWords, conditionWords } from './rule-words.ts'
import { reasonTypes } from './words.ts'

/** Returns the cells of a rule in the list of ignores, by the names of its columns in lower case. */
export function ruleCells(
  place: ConsoleScope,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, (rule: Policy) => ReactNode>> {
  return {
    ignored: ({ id, attributes }) => (
      <>
        {attributes.deleted_at || isOfOther(place, attributes) ? (
          <Text span fw={600} size="sm">
            {attributes.name}
          </Text>
        ) : (
          <PageLink to={paths.rule(place, id)} fw={600}>
            {attributes.name}
          </PageLink>
        )}
        <Note>
          {attributes.conditions_group.conditions.map((condition) => conditionWords(condition, names)).join(' · ')}
        </Note>
      </>
    ),
    where: ({ attributes: { source, scope, conditions_group } }) => (
      <>
        {conditions_group.conditions.some(({ field }) => ofProjects.includes(field))
          ? 'Matching projects'
          : 'All projects'}
        <Note>{source === 'vex' ? 'VEX document' : scope === 'group' ? 'Rule of the group' : 'Rule'}</Note>
      </>
    ),
    why: ({ attributes: { action } }) => (
      <>
        <Text span size="sm">
          {action.data.ignore_type ? reasonTypes[action.data.ignore_type].name : `Set to ${action.data.severity}`}
        </Text>
        <Note>{action.data.reason}</Note>
      </>
    ),
    who: ({ attributes }) => (
      <>
        {attributes.created_by.name}
        <Note>
          <Age time={attributes.updated_at} />
        </Note>
      </>
    ),
    state: (rule) => <State rule={rule} />,
    action: (rule) => <Actions place={place} rule={rule} />,
  }
}

/** Returns true for a rule of the group in the list of one of its organizations. */
function isOfOther({ kind }: ConsoleScope, { scope }: Policy['attributes']): boolean {
  return kind === 'orgs' && scope === 'group'
}

const ofProjects: readonly string[] = ['project', 'project-tag', 'target']

function State({ rule }: { rule: Policy }) {
  const { evaluation, action, deleted_at, hides, changes } = rule.attributes
  const { expires } = action.data
  if (deleted_at !== undefined) {
    return (
      <>
        <StateBadge tone="quiet">deleted</StateBadge>
        <Note>
          <Age time={deleted_at} />
        </Note>
      </>
    )
  }
  if (evaluation.state === 'running') {
    const { done, total } = evaluation
    return (
      <>
        <StateBadge tone="busy">evaluating</StateBadge>
        <Progress
          mt={6}
          value={(100 * done) / Math.max(1, total)}
          aria-label={`Evaluated projects of ${rule.attributes.name}`}
        />
        <Note>
          {done.toLocaleString()} of {total.toLocaleString()} projects
        </Note>
      </>
    )
  }
  const isEnded = expires !== undefined && Date.parse(expires) <= Date.now()
  return (
    <>
      {isEnded ? (
        <StateBadge tone="warning">ended</StateBadge>
      ) : (changes ?? hides).issues > 0 ? (
        <StateBadge tone="good">in effect</StateBadge>
      ) : (
        <StateBadge tone="warning">no effect</StateBadge>
      )}
      <Note>
        {changes ? 'Changes' : 'Hides'} {affectedWords(rule)}.{' '}
        {expires === undefined ? (
          'No end'
        ) : (
          <>
            {isEnded ? 'Ended' : 'Ends'} <Age time={expires} />
          </>
        )}
      </Note>
    </>
  )
}

function Actions({ place, rule: { id, attributes } }: { place: ConsoleScope; rule: Policy }) {
  const queries = useQueryClient()
  const restoring = useMutation({
    mutationFn: () => restorePolicy(place, id),
    onSuccess: () => {
      for (const queryKey of keysOfRules(place)) void queries.invalidateQueries({ queryKey })
    },
  })
  if (attributes.deleted_at !== undefined) {
    return (
      <>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Restore ${attributes.name}`}
          loading={restoring.isPending}
          onClick={() => restoring.mutate()}
        >
          Restore
        </Button>
        {restoring.error && <RefusalAlert title="Not restored" error={restoring.error} />}
      </>
    )
  }
  if (isOfOther(place, attributes)) return <Note>Change it in the group.</Note>
  return (
    <Group gap="xs">
      <ButtonLink size="compact-sm" variant="default" aria-label={`Edit ${attributes.name}`} to={paths.rule(place, id)}>
        Edit
      </ButtonLink>
      <ConfirmButton
        size="compact-sm"
        action="Delete"
        name={`Delete ${attributes.name}`}
        title={`Delete ${attributes.name}?`}
        verb="Delete rule"
        failure="Rule not deleted"
        changes={keysOfRules(place)}
        run={() => deletePolicy(place, id)}
      >
        {attributes.hides.issues > 0 && 'What it hides counts again, unless another ignore matches it. '}
        Can be restored for 30 days under “Deleted rules”.
      </ConfirmButton>
    </Group>
  )
}
