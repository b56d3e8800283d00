-- The API key that subscribed an endpoint (REST hooks): once the key has ended, nothing is posted there any more.
alter table webhook_endpoints add api_key_id bigint;
