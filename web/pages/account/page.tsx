import { useSelf } from '../../hooks/place.ts'
import { SingleKeysSwitch } from '../../shell/keyboard-map.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Password } from './password.tsx'
import { SecondFactors } from './second-factors.tsx'
import { Sessions } from './sessions.tsx'

export function Account() {
  const self = useSelf().data
  return (
    <Page title="Your account">
      {self && (
        <Section title="Profile">
          <Facts
            of={[
              ['Name', self.attributes.name],
              ['E-mail', self.type === 'user' ? self.attributes.email : undefined],
            ]}
          />
        </Section>
      )}
      <Section title="Keyboard">
        <SingleKeysSwitch />
      </Section>
      {self?.type === 'user' && (
        <>
          <Password />
          <SecondFactors email={self.attributes.email} />
          <Sessions />
          <ApiKeys />
        </>
      )}
    </Page>
  )
}
