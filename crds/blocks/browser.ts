import { z } from 'zod';
import { imageReference, line, objectRef } from '../fields.ts';

const viewport = z.object({
  width: z.number().int().min(320).max(7680).default(1920).describe('width is the width in pixels.'),
  height: z.number().int().min(240).max(4320).default(1080).describe('height is the height in pixels.'),
});

/** The browser of a run. */
export const browser = z
  .object({
    runtime: z
      .enum(['Local', 'RemoteCDP', 'Browserbase', 'Kernel'])
      .default('Local')
      .describe('runtime specifies where the browser runs. Local means in the Pod of the run.'),
    viewport: viewport.prefault({}).describe('viewport is the size of the screen and of the browser window.'),
    liveView: z
      .boolean()
      .default(false)
      .describe('liveView specifies whether the desktop can be watched while the run is in progress.'),
    recording: z
      .enum(['Video', 'ScreenshotsOnly', 'Off'])
      .default('Video')
      .describe(
        'recording specifies what is recorded: Video (a video of the screen and a screenshot of each action), ScreenshotsOnly or Off.',
      ),
    isolation: z
      .enum(['Namespace', 'DoorOnly'])
      .default('Namespace')
      .describe(
        'isolation specifies how the browser is kept from bypassing the gateway. With Namespace, the browser has a network namespace of its own whose only egress is the gateway. With DoorOnly, only the proxy setting and the filter of DevTools commands apply, and runs get the condition ReducedInterception.',
      ),
    locale: z
      .string()
      .min(2)
      .max(35)
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)
      .optional()
      .describe('locale is the BCP 47 language tag of the browser, such as de-DE. Defaults to en-US.'),
    timezone: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[A-Za-z][-+A-Za-z0-9_]*(\/[A-Za-z][-+A-Za-z0-9_]*)*$/)
      .optional()
      .describe('timezone is the IANA name of the time zone, such as Europe/Berlin. Defaults to UTC.'),
    profile: z
      .object({
        configMapRef: objectRef.describe('configMapRef refers to the ConfigMap with the files of the profile.'),
      })
      .optional()
      .describe('profile is the browser profile that each run starts with.'),
    extensions: z
      .object({ image: imageReference.describe('image is the container image that holds the unpacked extensions.') })
      .optional()
      .describe('extensions specifies browser extensions to load.'),
    remote: z
      .object({
        secretRef: objectRef.describe("secretRef refers to the Secret with the provider's API key or the CDP URL."),
        options: z
          .record(z.string(), line(1024))
          .meta({ maxProperties: 32 })
          .default({})
          .describe('options holds options that are specific to the provider.'),
      })
      .optional()
      .describe('remote configures the remote browser of every runtime other than Local.'),
  })
  .describe('browser configures the browser of each run.');
