export type Context = 'tenant' | 'user'

/** Returns the name under which an app acts. */
export function actsAs(context: Context, person: string): string {
  return context === 'tenant' ? 'Itself' : person
}
