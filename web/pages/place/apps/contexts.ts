export type Context = 'tenant' | 'user'

/** In whose name an app acts. */
export function actsAs(context: Context, person: string): string {
  return context === 'tenant' ? 'Itself' : person
}
