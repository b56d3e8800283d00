-- Every process says by itself whether the database is as it needs it (/readyz).
grant select on migrations to muster_app, muster_system;
