import {
  type Installation,
  takeVirtualServer,
  type VirtualMachine,
  type VirtualMachineSystem,
  type VirtualServer,
} from '@innkeeper/testkit';
import { createRestClient, type RestClient } from '../boxes/rest-client.ts';
import { makeKeys, type TenantContext } from './tenant.ts';

/** A virtual hosting server of the run, for one file at a time, and the API of its installation. */
export interface Use extends TenantContext {
  installation: Installation;
  server: VirtualServer;
  guest: VirtualMachine;
  api: RestClient;
  end(): Promise<void>;
}

export async function useVirtualServer(system: VirtualMachineSystem): Promise<Use> {
  const { installation, server, end } = await takeVirtualServer(system);
  const keys = await makeKeys();
  return {
    ...{ installation, server, guest: server.box, keys: keys.keys },
    api: createRestClient(installation.baseUrl, installation.token),
    end: async () => {
      await keys.end();
      await end();
    },
  };
}
