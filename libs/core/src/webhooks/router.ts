import { router } from "../procedures.ts";
import { createEndpointProcedure } from "./endpoints/create-endpoint.ts";
import { deleteEndpointProcedure } from "./endpoints/delete-endpoint.ts";
import { endpointHealthProcedure } from "./endpoints/endpoint-health.ts";
import { getEndpointProcedure } from "./endpoints/get-endpoint.ts";
import { listEndpointsProcedure } from "./endpoints/list-endpoints.ts";
import { listMissingProcedure } from "./endpoints/list-missing.ts";
import { endpointTimelineProcedure } from "./endpoints/list-timeline.ts";
import { recoverEndpointProcedure } from "./endpoints/recover-endpoint.ts";
import { rotateEndpointSecretProcedure } from "./endpoints/rotate-secret.ts";
import { switchEndpointSecretNowProcedure } from "./endpoints/switch-secret-now.ts";
import { testEndpointProcedure } from "./endpoints/test-endpoint.ts";
import { updateEndpointProcedure } from "./endpoints/update-endpoint.ts";
import { getDeliveryProcedure } from "./log/get-delivery.ts";
import { listAttemptsProcedure } from "./log/list-attempts.ts";
import { listDeliveriesProcedure } from "./log/list-deliveries.ts";

export const webhooksRouter = router({
  endpoints: router({
    list: listEndpointsProcedure,
    get: getEndpointProcedure,
    create: createEndpointProcedure,
    update: updateEndpointProcedure,
    delete: deleteEndpointProcedure,
    rotate: rotateEndpointSecretProcedure,
    switchNow: switchEndpointSecretNowProcedure,
    test: testEndpointProcedure,
    health: endpointHealthProcedure,
    recover: recoverEndpointProcedure,
    missing: listMissingProcedure,
    timeline: endpointTimelineProcedure,
  }),
  deliveries: router({ list: listDeliveriesProcedure, get: getDeliveryProcedure }),
  attempts: router({ list: listAttemptsProcedure }),
});
