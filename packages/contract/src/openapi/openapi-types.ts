/** The parts of an OpenAPI 3.1 document that this API has. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: SecurityRequirement[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, object>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, ResponseObject>;
    schemas: Record<string, JsonSchema>;
  };
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** The ability that a token needs, if any. */
  'x-ability'?: string;
  /** Empty if no token is required. */
  security?: SecurityRequirement[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject | Reference>;
}

type SecurityRequirement = Record<string, string[]>;

export interface Reference {
  $ref: string;
}

/** JSON Schema, draft 2020-12. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  style?: 'form';
  explode?: boolean;
  example?: unknown;
}

export interface Header {
  description: string;
  schema: JsonSchema;
}

export interface MediaType {
  schema: JsonSchema | Reference;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
  encoding?: Record<string, { style?: 'deepObject'; explode?: boolean; contentType?: string }>;
}

export interface RequestBody {
  required: boolean;
  content: Record<string, MediaType>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}
