import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { GroupSecurity } from '../../api/resources.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Note } from '../../components/note.tsx'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { usePlace } from '../../hooks/place.ts'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { SessionPolicy } from './session-policy.tsx'

export function Security() {
  const { id } = usePlace()
  const reading = useQuery({
    queryKey: ['group-security', id],
    queryFn: () => call('getSignInRules', { params: { group_id: id } }),
  })
  return (
    <Page title="Security">
      <Section title="Second factor">
        <ReadingAlert title="Could not load the security of the group" reading={reading} />
        {reading.data && <SecondFactorRule groupId={id} security={reading.data} />}
      </Section>
      {reading.data && <SessionPolicy groupId={id} security={reading.data} />}
    </Page>
  )
}

const words = {
  optional: {
    rule: 'Optional: members decide',
    verb: 'Require second factor',
    title: 'Require a second factor?',
    consequence:
      'Members without one are signed out of the console at once and set one up when they sign in again. API keys and authorized apps keep working.',
  },
  required: {
    rule: 'Required',
    verb: 'Make second factor optional',
    title: 'Make the second factor optional?',
    consequence: 'Members can remove their second factors and sign in with a password alone.',
  },
} as const

function SecondFactorRule({ groupId, security }: { groupId: string; security: GroupSecurity }) {
  const { rule, verb, title, consequence } = words[security.second_factor]
  const body = { second_factor: security.second_factor === 'required' ? 'optional' : 'required' } as const
  return (
    <>
      <Facts
        of={[
          ['Rule', rule],
          ['Members with a second factor', `${security.with_factor} of ${security.members}`],
        ]}
      />
      <Note size="sm">
        Applies to members of the group and of its organizations, in the console and when apps ask for consent.
      </Note>
      <ConfirmButton
        style={{ alignSelf: 'flex-start' }}
        action={verb}
        title={title}
        verb={verb}
        failure="Not changed"
        changes={[['group-security', groupId]]}
        run={() => call('updateSignInRules', { params: { group_id: groupId }, body })}
      >
        {consequence}
      </ConfirmButton>
    </>
  )
}
